/** A deadlock to look at: a network of small lossless buffers that stops for ever, or does not. */
package org.fibnuma.fabric.deadlock;
