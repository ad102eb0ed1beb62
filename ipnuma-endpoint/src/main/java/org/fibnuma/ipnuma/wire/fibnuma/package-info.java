/**
 * The reliable format, fibnuma version 2: header of a datagram and meaning of its fields. docs/ipnuma-protocol.md
 * describes it byte by byte.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.wire.fibnuma;
