/** What shows that a routing can not stop for ever and reaches everyone. */
package org.fibnuma.fabric.proof;
