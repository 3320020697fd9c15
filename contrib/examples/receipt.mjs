// An old app receipt, as an iOS app finds it in its bundle: PKCS #7 around a list of attributes, signed
// by a certificate authority of our own in Apple's place. For the walks alone.
//
//     node receipt.mjs DIRECTORY     makes the authority: DIRECTORY/receipt-root.pem is to be trusted

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** The marks of Apple's certificates: of the one that signs receipts, and of the one above it. */
const LEAF = "1.2.840.113635.100.6.11.1";
const INTERMEDIATE = "1.2.840.113635.100.6.2.1";

function openssl(...words) {
  return execFileSync("openssl", words, { stdio: ["ignore", "pipe", "pipe"] });
}

export function makeAuthority(directory) {
  const make = (name, issuer, extensions) => {
    const file = (end) => `${directory}/receipt-${name}.${end}`;
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", `/CN=Example ${name}`, "-keyout", file("key"), "-out", file("csr"));
    writeFileSync(file("ext"), extensions.join("\n"));
    const signer = issuer ? ["-CA", `${directory}/receipt-${issuer}.pem`, "-CAkey", `${directory}/receipt-${issuer}.key`, "-CAcreateserial"] : ["-signkey", file("key")];
    openssl("x509", "-req", "-in", file("csr"), "-days", "30", "-sha256", "-extfile", file("ext"), ...signer, "-out", file("pem"));
  };
  const ca = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
  make("root", null, ca);
  make("between", "root", [...ca, `${INTERMEDIATE}=DER:0500`]);
  make("leaf", "between", ["basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature", `${LEAF}=DER:0500`]);
}

/** The receipt of one subscription, in base64; `signed` is the payload of its signed transaction. */
export function receiptOf(directory, signed) {
  const time = (milliseconds) => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
  const purchase = [
    [1701, integer(1)],
    [1702, text(signed.productId)],
    [1703, text(signed.transactionId)],
    [1704, ascii(time(signed.purchaseDate))],
    [1705, text(signed.originalTransactionId)],
    [1706, ascii(time(signed.originalPurchaseDate))],
    [1708, ascii(time(signed.expiresDate))],
  ];
  const content = attributes([
    [0, text(signed.environment)],
    [2, text(signed.bundleId)],
    [3, text("1.0")],
    [12, ascii(time(Date.now()))],
    [17, attributes(purchase)],
  ]);
  writeFileSync(`${directory}/receipt.content`, content);
  const file = (name) => `${directory}/receipt-${name}`;
  const sign = ["cms", "-sign", "-binary", "-nodetach", "-noattr", "-md", "sha256", "-outform", "DER"];
  const chain = `${directory}/receipt-chain.pem`;
  writeFileSync(chain, readFileSync(file("between.pem"), "utf8") + readFileSync(file("root.pem"), "utf8"));
  const keys = ["-signer", file("leaf.pem"), "-inkey", file("leaf.key"), "-certfile", chain];
  return openssl(...sign, "-in", `${directory}/receipt.content`, ...keys).toString("base64");
}

// DER, as much as a receipt needs of it (X.690).
function element(tag, content) {
  const { length } = content;
  const octets = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...octets]), content]);
}
const integer = (number) => element(2, Buffer.from(number > 127 ? [number >> 8, number & 255] : [number]));
const text = (value) => element(12, Buffer.from(value));
const ascii = (value) => element(22, Buffer.from(value));
const attributes = (list) =>
  element(0x31, Buffer.concat(list.map(([type, value]) => element(0x30, Buffer.concat([integer(type), integer(1), element(4, value)])))));

if (import.meta.url === pathToFileURL(process.argv[1]).href) makeAuthority(process.argv[2]);
