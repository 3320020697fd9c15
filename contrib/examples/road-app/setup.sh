bundle=com.roadsmart.app
mint --month 2m --bundle-id "$bundle" --product com.roadsmart.plus.monthly,P1M,1,5990 \
    --product com.roadsmart.plus.yearly,P1Y,1,49990
start_store
