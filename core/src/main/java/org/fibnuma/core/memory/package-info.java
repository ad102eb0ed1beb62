/**
 * Native memory: access to the bytes of frames ({@link org.fibnuma.core.memory.FrameMemory}, which the flyweights and
 * the stages use), the bounds checks of tests, and the pages that frames lie in.
 */
package org.fibnuma.core.memory;
