/**
 * Writes what the release archive and the Debian package contain besides jars: manual pages, completion, compressed
 * documents. Part of the build, not of the product.
 */
@org.fibnuma.core.Internal
package org.fibnuma.packaging;
