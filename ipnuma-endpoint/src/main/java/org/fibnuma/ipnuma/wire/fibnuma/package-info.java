/**
 * fibnuma version 2, the reliable format: the header of a datagram and what its fields may say. The module's README
 * has it byte by byte.
 */
package org.fibnuma.ipnuma.wire.fibnuma;
