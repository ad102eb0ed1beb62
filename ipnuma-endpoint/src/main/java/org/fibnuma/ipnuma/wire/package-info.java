/**
 * The bytes of remote memory: PCIe's transaction layer packets (TLPs) and the datagrams that carry them. Everything
 * that reads takes hostile bytes: it looks at no byte outside the length it was given, and throws nothing.
 */
package org.fibnuma.ipnuma.wire;
