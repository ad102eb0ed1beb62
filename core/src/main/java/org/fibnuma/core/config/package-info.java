/**
 * Reads the TOML files of the commands. The program reads a table key by key; all problems are collected with their
 * lines, so that the user sees them at once.
 */
package org.fibnuma.core.config;
