bundle=com.portfolio.app
# A day of this App Store takes 4 s, and a grace period 12 s.
mint --month 2m --grace-days 3 --bundle-id "$bundle" --product com.portfolio.pro.yearly,P1Y,1,39990
start_store
start_other stripesim "$home/stripe" --live
node "$here/receipt.mjs" "$home"
more_apple="  receiptRootCertificateFiles: [$home/receipt-root.pem]"$'\n'
# A renewal may be late for half a minute; in production give it ten minutes.
outbox /api/entitlements 30
