/**
 * fibnuma version 2, the reliable format: header of a datagram and meaning of its fields. The module's README describes
 * it byte by byte.
 */
package org.fibnuma.ipnuma.wire.fibnuma;
