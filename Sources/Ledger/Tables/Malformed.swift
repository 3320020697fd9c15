/// Bytes that are not what their version says.
package struct Malformed: Error {}
