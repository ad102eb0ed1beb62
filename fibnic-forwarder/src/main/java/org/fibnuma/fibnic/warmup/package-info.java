/**
 * Traffic for a pipeline of its own, before the first port opens, so that the pipeline that serves users starts as
 * machine code and not in the interpreter.
 */
package org.fibnuma.fibnic.warmup;
