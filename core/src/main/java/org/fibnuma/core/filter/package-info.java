/**
 * Filters of frames: {@link org.fibnuma.core.filter.FilterProgram} checks a program of the classic Berkeley Packet
 * Filter and runs it. {@code PcapFilterCompiler} makes it from an expression of libpcap, perhaps in another process;
 * the program is passed as text.
 */
package org.fibnuma.core.filter;
