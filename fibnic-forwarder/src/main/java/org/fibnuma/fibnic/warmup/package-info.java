/**
 * Traffic through a pipeline in memory before the first port opens, so that the router starts with compiled code and
 * not in the interpreter.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.warmup;
