/**
 * The command line: {@link org.fibnuma.fibnic.command.FibnumaCommand} and its subcommands. Exit status 0: success;
 * 1: failure; 2: wrong usage.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.command;
