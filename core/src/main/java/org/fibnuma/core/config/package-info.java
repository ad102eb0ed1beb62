/**
 * TOML files of the commands: a table asks for its keys one by one, everything wrong is collected with its line, and
 * the user sees all of it at once.
 */
package org.fibnuma.core.config;
