/**
 * PCIe transaction layer packets (TLPs) and the datagrams that contain them. Decoders accept hostile bytes: they read
 * no byte outside the given length and throw nothing.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.wire;
