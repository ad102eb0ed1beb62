/**
 * What people type: {@link org.fibnuma.fibnic.command.FibnumaCommand} and its subcommands. Exit status 0: it worked;
 * 1: it failed; 2: it was called in a wrong way.
 */
package org.fibnuma.fibnic.command;
