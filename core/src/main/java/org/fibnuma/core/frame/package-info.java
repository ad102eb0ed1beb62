/**
 * Frames: the chunks that they live in ({@link org.fibnuma.core.frame.FramePool}) and the batch that carries them
 * through a worker with their fate beside them ({@link org.fibnuma.core.frame.FrameBatch}).
 */
package org.fibnuma.core.frame;
