/** Commands that measure Fibnuma and print the results as text or JSON. */
package org.fibnuma.bench;
