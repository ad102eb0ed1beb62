/** Measurements of everything that Fibnuma claims, each behind a command that prints JSON. */
package org.fibnuma.bench;
