/**
 * Frames: the chunks of memory that contain them ({@link org.fibnuma.core.frame.FramePool}) and the batch that passes
 * them through a worker with their disposition ({@link org.fibnuma.core.frame.FrameBatch}).
 */
package org.fibnuma.core.frame;
