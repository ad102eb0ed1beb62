/**
 * The chunks of memory that contain frames ({@link org.fibnuma.core.frame.FramePool}), the batch that passes frames
 * with their dispositions through the stages of a worker ({@link org.fibnuma.core.frame.FrameBatch}), and lists of
 * frames of a batch ({@link org.fibnuma.core.frame.FrameList}).
 */
package org.fibnuma.core.frame;
