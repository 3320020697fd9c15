// COpenSSL lets Swift see libcrypto (Debian: libssl-dev).
//
// In reading order:
//   openssl_make_ec_key   the first of some small functions, for what Swift cannot see by itself:
//                         macros, and functions with variable arguments
//
// Its laws:
//   1. Only Signatures and CertificateAuthority import this.
//   2. A function here does what the call of OpenSSL does, and nothing else.
//
// It never checks or decides anything.

#ifndef ENTITLD_COPENSSL_H
#define ENTITLD_COPENSSL_H

// What Swift cannot see of OpenSSL by itself: macros, and functions with variable arguments.

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

static inline EVP_PKEY *openssl_make_ec_key(const char *curve) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
}

// The public key with this modulus and exponent, both big-endian; NULL where there is none.
static inline EVP_PKEY *openssl_make_rsa_public(
    const unsigned char *modulus, int modulus_bytes, const unsigned char *exponent,
    int exponent_bytes
) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parts = NULL;
    BIGNUM *n = BN_bin2bn(modulus, modulus_bytes, NULL);
    BIGNUM *e = BN_bin2bn(exponent, exponent_bytes, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    if (n && e && builder && context && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e)
        && (parts = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1) {
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parts);
    }
    OSSL_PARAM_free(parts);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_BLD_free(builder);
    BN_free(e);
    BN_free(n);
    return key;
}

static inline void openssl_free(void *bytes) { OPENSSL_free(bytes); }

static inline STACK_OF(X509) *openssl_certificates_new(void) { return sk_X509_new_null(); }

static inline int openssl_certificates_push(STACK_OF(X509) *list, X509 *certificate) {
    return sk_X509_push(list, certificate);
}

static inline void openssl_certificates_free(STACK_OF(X509) *list) { sk_X509_free(list); }

static inline void openssl_certificates_release(STACK_OF(X509) *list) {
    sk_X509_pop_free(list, X509_free);
}

static inline int openssl_signers_count(const STACK_OF(CMS_SignerInfo) *list) {
    return sk_CMS_SignerInfo_num(list);
}

static inline CMS_SignerInfo *openssl_signers_at(const STACK_OF(CMS_SignerInfo) *list, int index) {
    return sk_CMS_SignerInfo_value(list, index);
}

static inline int openssl_certificates_count(const STACK_OF(X509) *list) {
    return sk_X509_num(list);
}

static inline X509 *openssl_certificates_at(const STACK_OF(X509) *list, int index) {
    return sk_X509_value(list, index);
}

static inline long openssl_bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

#endif
