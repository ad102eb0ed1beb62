/**
 * Filters of frames: {@link org.fibnuma.core.filter.FilterProgram} checks a program of the classic Berkeley Packet
 * Filter and runs it. {@code PcapFilterCompiler} makes it from an expression of libpcap. The program is text, so that
 * another process can make it.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.filter;
