bundle=com.portfolio.app
mint --month 2m --bundle-id "$bundle" --product com.portfolio.pro.yearly,P1Y,1,39990
start_store
start_other stripesim "$home/stripe" --live
node "$here/receipt.mjs" "$home"
more_apple="  receiptRootCertificateFiles: [$home/receipt-root.pem]"$'\n'
outbox /api/entitlements
