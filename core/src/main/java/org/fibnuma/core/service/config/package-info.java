/**
 * Reads the TOML files of the commands. A program declares the keys of each table once, in a
 * {@link org.fibnuma.core.service.config.ConfigTable}, and reads a table key by key. All problems are collected with
 * their lines, so that the user sees them at once. The reference docs/configuration.md is generated from the
 * declarations.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.config;
