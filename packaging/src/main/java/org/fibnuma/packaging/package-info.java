/** Writes what the release archive contains beside jars: manual pages. Part of the build, not of the product. */
package org.fibnuma.packaging;
