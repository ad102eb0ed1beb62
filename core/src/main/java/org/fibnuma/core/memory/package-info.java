/**
 * Native memory: access to the bytes of frames ({@link org.fibnuma.core.memory.FrameMemory}), the bounds checks of
 * tests, and the memory regions that contain frames.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.memory;
