bundle=com.taskmanager
mint --month 2m --bundle-id "$bundle" --product com.taskmanager.paid.yearly,P1Y,1,29990 \
    --product com.taskmanager.premium.yearly,P1Y,2,59990
start_store
start_other playstoresim "$home/google" --package com.taskmanager \
    --product paid_yearly:yearly,12,29990 --product premium_yearly:yearly,12,59990
