/**
 * Filters of frames in the language of libpcap: {@link org.fibnuma.core.filter.FilterCompiler} translates an
 * expression into a program of the classic Berkeley Packet Filter, {@link org.fibnuma.core.filter.FilterProgram} checks
 * such a program and runs it. They may be in different processes; the program is passed as text.
 */
package org.fibnuma.core.filter;
