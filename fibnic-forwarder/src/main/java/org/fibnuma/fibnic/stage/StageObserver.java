package org.fibnuma.fibnic.stage;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;

/** What {@code Pipeline} of the data path calls while it processes a batch. It changes no frame and no fate. */
public interface StageObserver
{
    /** The received frames are about to be processed. */
    void begin();

    /**
     * A stage has processed frames of the batch.
     *
     * @param stage  that has run.
     * @param of     class of these frames, {@link FrameClass#NONE} for all.
     * @param frames number of frames that the stage was given.
     */
    void after(Stage stage, FrameClass of, int frames);

    /** The batch has been processed. */
    void end();

    /**
     * Finds a frame that a stage which may write a message has to process alone; by default there is none.
     *
     * @param list of the frames that the stage is given.
     * @param from position in the list.
     * @return position of the first such frame from there on, the size of the list if there is none.
     */
    default int nextAlone(final FrameList list, final int from)
    {
        return list.size();
    }

    /**
     * Finds a frame to be sent that has to be processed alone; by default there is none.
     *
     * @param batch of frames to be sent.
     * @param from  index in the batch.
     * @return index of the first such frame from there on, the size of the batch if there is none.
     */
    default int nextSentAlone(final FrameBatch batch, final int from)
    {
        return batch.size();
    }

    /** A stage that may write a message is about to process one frame alone. */
    default void beforeMessage()
    {
    }

    /** The stage has processed the frame at an index of the batch. */
    default void afterMessage(final int i, final Stage stage)
    {
    }

    /** The frame at an index of the batch is about to be fragmented or sent alone. */
    default void beforeSend(final int i)
    {
    }

    /** The frame at an index of the batch was fragmented or sent. */
    default void afterSend(final int i)
    {
    }
}
