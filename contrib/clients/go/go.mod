module entitld

go 1.19
