/** The commands {@code fibnuma fabric plan} and {@code fibnuma fabric check}. */
package org.fibnuma.fabric.command;
