/** A simulation of lossless buffers that shows a deadlock. */
package org.fibnuma.fabric.deadlock;
