package org.fibnuma.fibnic.stage;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;

/** Observes the stages while {@code Pipeline} of the data path processes a batch. It changes no frame and no fate. */
public interface StageObserver
{
    /** Called before the received frames are processed. */
    void begin();

    /**
     * Called after a stage has processed frames of the batch.
     *
     * @param stage  that has run.
     * @param of     class of these frames, {@link FrameClass#NONE} for all.
     * @param frames number of frames that the stage was given.
     */
    void after(Stage stage, FrameClass of, int frames);

    /** Called after the batch was processed. */
    void end();

    /**
     * Returns the position of the first frame in a list, from a position on, that a stage which may write a message has
     * to process alone. It is the size of the list if there is none, as by default.
     */
    default int nextAlone(final FrameList list, final int from)
    {
        return list.size();
    }

    /**
     * Returns the index of the first frame of a batch, from an index on, that has to be sent alone. It is the size of
     * the batch if there is none, as by default.
     */
    default int nextSentAlone(final FrameBatch batch, final int from)
    {
        return batch.size();
    }

    /** Called before a stage that may write a message processes one frame alone. */
    default void beforeMessage()
    {
    }

    /** Called after the stage has processed the frame at an index of the batch. */
    default void afterMessage(final int i, final Stage stage)
    {
    }

    /** Called before the frame at an index of the batch is fragmented or sent alone. */
    default void beforeSend(final int i)
    {
    }

    /** Called after the frame at an index of the batch was fragmented or sent. */
    default void afterSend(final int i)
    {
    }
}
