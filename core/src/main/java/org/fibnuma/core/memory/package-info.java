/**
 * Native memory: the one class through which frame bytes are read and written, its bounds checks, and the pages
 * that frames live in.
 */
package org.fibnuma.core.memory;
