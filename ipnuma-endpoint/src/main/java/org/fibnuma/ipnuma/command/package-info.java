/**
 * {@code fibnuma ipnuma}: the endpoint as a program, looks into a running one, and stores and loads for scripts.
 */
package org.fibnuma.ipnuma.command;
