/** Network namespaces for {@link org.fibnuma.core.netns.NamespaceAccess}. */
package org.fibnuma.binding.netns;
