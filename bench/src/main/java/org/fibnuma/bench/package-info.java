/** Commands that measure Fibnuma and print the results as text or JSON. */
@org.fibnuma.core.Internal
package org.fibnuma.bench;
