/** The {@code fibnuma fabric} commands. */
package org.fibnuma.fabric.command;
