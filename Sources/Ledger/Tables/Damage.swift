/// A row that is not what was stored.
struct Damage: Error {
    let table: TableName
}
