package org.fibnuma.fibnic.trace;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.record.RecordRing;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The traced frames of the batch that a worker processes. Each frame has a record, which is copied into the ring of the
 * worker when the batch has been processed. Traced frames are numbered from 0 in the order of reception. Allocated by
 * another thread, used by the worker, which allocates nothing and never waits.
 */
public final class FrameTraces
{
    /** Index of a frame that is not in the batch, number of a frame that is not traced. */
    public static final int NONE = TraceLayout.NONE;

    private static final int PREVIOUS = TraceLayout.align(TraceLayout.CAPACITY);
    private static final int FRAME_MEMORY = PREVIOUS + TraceLayout.HEAD;

    private final TraceSettings settings;
    private final FilterProgram filter;
    private final RecordRing records;
    private final int worker;
    private final AtomicInteger remaining;
    private final NanoClock clock;
    private final long epochOffsetNs;
    private final MemoryRegion memory = MemoryRegion.ofBytes(FrameBatch.CAPACITY * FRAME_MEMORY);
    private int size;
    private final long[] handles = new long[FrameBatch.CAPACITY];
    /** By number of the frame: its index in the batch. */
    private final int[] indexes = new int[FrameBatch.CAPACITY];
    /** By index in the batch: number of the frame. */
    private final int[] numbers = new int[FrameBatch.CAPACITY];

    // State of each frame at its last step.
    private final int[] ingresses = new int[FrameBatch.CAPACITY];
    private final long[] ingressTags = new long[FrameBatch.CAPACITY];
    private final int[] lengths = new int[FrameBatch.CAPACITY];
    private final int[] headLengths = new int[FrameBatch.CAPACITY];
    private final int[] dispositions = new int[FrameBatch.CAPACITY];
    private final int[] reasons = new int[FrameBatch.CAPACITY];
    private final int[] adjacencies = new int[FrameBatch.CAPACITY];
    private final FrameClass[] classes = new FrameClass[FrameBatch.CAPACITY];

    private final int[] ports = new int[FrameBatch.CAPACITY];
    /** Bytes of each record so far. */
    private final int[] ends = new int[FrameBatch.CAPACITY];
    /** Offset of the last step of each record. */
    private final int[] lastSteps = new int[FrameBatch.CAPACITY];

    FrameTraces(
        final TraceSettings settings,
        final RecordRing records,
        final int worker,
        final AtomicInteger remaining,
        final NanoClock clock,
        final long epochOffsetNs)
    {
        this.settings = settings;
        this.filter = settings.filter() == null ? null : settings.filter().copy();
        this.records = records;
        this.worker = worker;
        this.remaining = remaining;
        this.clock = clock;
        this.epochOffsetNs = epochOffsetNs;
        // The memory page faults occur here, not in the worker.
        FrameMemory.fill(memory.address(), FrameBatch.CAPACITY * FRAME_MEMORY, (byte)0);
    }

    /**
     * Marks the frames of a batch that are to be traced, until the count of the trace is reached.
     *
     * @param batch frames of one port as they were received, at least one.
     * @return whether any frame is marked; then {@link #finish} must follow.
     */
    public boolean mark(final FrameBatch batch)
    {
        size = 0;
        final int port = batch.ingressPort(0);
        if ((settings.ports() & 1L << port) == 0 || remaining.get() <= 0)
        {
            return false;
        }
        final long nowNs = clock.nanoTime();
        for (int i = 0; i < batch.size(); i++)
        {
            if ((filter == null || filter.run(batch.address(i), batch.length(i)) != 0) && takeOne())
            {
                begin(batch, i, nowNs);
            }
        }
        return size > 0;
    }

    private boolean takeOne()
    {
        while (true)
        {
            final int left = remaining.get();
            if (left <= 0)
            {
                return false;
            }
            if (remaining.compareAndSet(left, left - 1))
            {
                return true;
            }
        }
    }

    private void begin(final FrameBatch batch, final int i, final long nowNs)
    {
        final int n = size++;
        final int length = batch.length(i);
        final int headLength = Math.min(length, TraceLayout.HEAD);
        final long record = record(n);
        FrameMemory.putLong(record + TraceLayout.TIME_OFFSET, nowNs + epochOffsetNs);
        FrameMemory.putInt(record + TraceLayout.WORKER_OFFSET, worker);
        FrameMemory.putInt(record + TraceLayout.PORT_OFFSET, batch.ingressPort(i));
        FrameMemory.putInt(record + TraceLayout.LENGTH_OFFSET, length);
        FrameMemory.putInt(record + TraceLayout.HEAD_LENGTH_OFFSET, headLength);
        FrameMemory.putInt(record + TraceLayout.STEPS_OFFSET, 0);
        FrameMemory.putInt(record + TraceLayout.TRUNCATED_OFFSET, 0);
        FrameMemory.copy(batch.address(i), record + TraceLayout.HEADER_LENGTH, headLength);
        FrameMemory.copy(batch.address(i), record + PREVIOUS, headLength);
        ends[n] = TraceLayout.HEADER_LENGTH + TraceLayout.align(headLength);
        lastSteps[n] = 0;
        handles[n] = batch.handle(i);
        indexes[n] = i;
        ports[n] = batch.ingressPort(i);
        ingresses[n] = batch.ingressInterface(i);
        ingressTags[n] = 0;
        lengths[n] = length;
        headLengths[n] = headLength;
        dispositions[n] = Disposition.FORWARD;
        reasons[n] = 0;
        adjacencies[n] = NONE;
        classes[n] = FrameClass.NONE;
    }

    private long record(final int n)
    {
        return memory.address() + (long)n * FRAME_MEMORY;
    }

    /** Finds the traced frames in a batch whose frames have moved; handles and order are unchanged. */
    public void locate(final FrameBatch batch)
    {
        Arrays.fill(numbers, NONE);
        int from = 0;
        for (int n = 0; n < size; n++)
        {
            indexes[n] = isEnded(n) ? NONE : find(batch, handles[n], from);
            if (indexes[n] != NONE)
            {
                numbers[indexes[n]] = n;
                from = indexes[n] + 1;
            }
        }
    }

    private static int find(final FrameBatch batch, final long handle, final int from)
    {
        for (int i = from; i < batch.size(); i++)
        {
            if (batch.handle(i) == handle)
            {
                return i;
            }
        }
        return NONE;
    }

    /** Returns the number of traced frames. */
    public int size()
    {
        return size;
    }

    /** Returns the index of a traced frame in the batch, {@link #NONE} if it is not there or its fate is recorded. */
    public int index(final int n)
    {
        return isEnded(n) ? NONE : indexes[n];
    }

    /** Returns the number of the frame at an index of the batch, {@link #NONE} if it is not traced. */
    public int number(final int i)
    {
        return numbers[i];
    }

    /** Returns the class of a frame at its last step. */
    public FrameClass classOf(final int n)
    {
        return classes[n];
    }

    /** Returns the disposition of a frame at its last step. */
    public int disposition(final int n)
    {
        return dispositions[n];
    }

    /** Returns the adjacency of a frame at its last step with one, or {@link #NONE}. */
    public int adjacency(final int n)
    {
        return adjacencies[n];
    }

    private boolean isEnded(final int n)
    {
        return dispositions[n] == Disposition.SETTLED;
    }

    /**
     * Compares a frame with its state at the last step, and adds a step for a stage if it differs.
     *
     * @param n       number of the frame.
     * @param stage   that has processed the frame.
     * @param batch   batch of the frame.
     * @param klass   class of the frame.
     * @param isShown whether a step is added in any case.
     * @return whether a step was added, which the methods below may complete.
     */
    public boolean observe(
        final int n, final Stage stage, final FrameBatch batch, final FrameClass klass, final boolean isShown)
    {
        final int i = indexes[n];
        final int disposition = batch.disposition(i);
        // The memory of a settled frame belongs to another owner.
        final boolean isReadable = disposition != Disposition.SETTLED;
        final boolean hasNewHead = isReadable && hasNewHead(n, batch.address(i), batch.length(i));
        final int reason = disposition == Disposition.DROP ? batch.dropReason(i) : reasons[n];
        final boolean isChanged = hasNewHead || disposition != dispositions[n] || reason != reasons[n] ||
            batch.ingressInterface(i) != ingresses[n] || isReadable && batch.length(i) != lengths[n] ||
            !klass.label().equals(classes[n].label());
        classes[n] = klass;
        if (!isChanged && !isShown)
        {
            return false;
        }
        dispositions[n] = disposition;
        reasons[n] = reason;
        ingresses[n] = batch.ingressInterface(i);
        lengths[n] = isReadable ? batch.length(i) : lengths[n];
        if (!addStep(n, stage))
        {
            return false;
        }
        if (hasNewHead)
        {
            headLengths[n] = Math.min(batch.length(i), TraceLayout.HEAD);
            FrameMemory.copy(batch.address(i), record(n) + PREVIOUS, headLengths[n]);
            bytes(n, batch.address(i), headLengths[n]);
        }
        return true;
    }

    private boolean hasNewHead(final int n, final long frame, final int length)
    {
        final int headLength = Math.min(length, TraceLayout.HEAD);
        final long previous = record(n) + PREVIOUS;
        boolean isNew = headLength != headLengths[n];
        for (int k = 0; k < headLength && !isNew; k++)
        {
            isNew = FrameMemory.getByte(frame + k) != FrameMemory.getByte(previous + k);
        }
        return isNew;
    }

    /** Adds a step with the state of the last one; returns false if the record has no room for it. */
    public boolean addStep(final int n, final Stage stage)
    {
        final long record = record(n);
        final int steps = FrameMemory.getInt(record + TraceLayout.STEPS_OFFSET);
        if (steps == TraceLayout.MAX_STEPS)
        {
            FrameMemory.putInt(record + TraceLayout.TRUNCATED_OFFSET, 1);
            return false;
        }
        FrameMemory.putInt(record + TraceLayout.STEPS_OFFSET, steps + 1);
        lastSteps[n] = ends[n];
        ends[n] += TraceLayout.STEP_LENGTH;
        final long step = record + lastSteps[n];
        FrameMemory.zero(step, TraceLayout.STEP_LENGTH);
        FrameMemory.putByte(step + TraceLayout.STAGE_OFFSET, stage.ordinal());
        FrameMemory.putByte(step + TraceLayout.CLASS_OFFSET, classes[n].ordinal());
        FrameMemory.putByte(step + TraceLayout.DISPOSITION_OFFSET, dispositions[n]);
        FrameMemory.putByte(step + TraceLayout.REASON_OFFSET, reasons[n]);
        FrameMemory.putByte(step + TraceLayout.ADJACENCY_KIND_OFFSET, NONE);
        FrameMemory.putInt(step + TraceLayout.STEP_FRAME_LENGTH_OFFSET, lengths[n]);
        FrameMemory.putInt(step + TraceLayout.INGRESS_OFFSET, ingresses[n]);
        FrameMemory.putLong(step + TraceLayout.INGRESS_TAGS_OFFSET, ingressTags[n]);
        FrameMemory.putInt(step + TraceLayout.ADJACENCY_OFFSET, NONE);
        FrameMemory.putInt(step + TraceLayout.EGRESS_OFFSET, NONE);
        return true;
    }

    /** Stores the VLAN tags of the ingress interface in the last step of a frame and in later ones. */
    public void ingressTags(final int n, final long tags)
    {
        ingressTags[n] = tags;
        FrameMemory.putLong(record(n) + lastSteps[n] + TraceLayout.INGRESS_TAGS_OFFSET, tags);
    }

    /**
     * Stores the adjacency of a frame in its last step.
     *
     * @param n        number of the frame.
     * @param index    of the adjacency.
     * @param kind     ordinal of its kind.
     * @param mtu      of its link, 0 where nothing is sent.
     * @param nextHigh first half of the next hop's address, see {@link org.fibnuma.core.wire.IpAddress}.
     * @param nextLow  second half.
     */
    public void adjacency(
        final int n, final int index, final int kind, final int mtu, final long nextHigh, final long nextLow)
    {
        final long step = record(n) + lastSteps[n];
        adjacencies[n] = index;
        FrameMemory.putByte(step + TraceLayout.ADJACENCY_KIND_OFFSET, kind);
        FrameMemory.putInt(step + TraceLayout.ADJACENCY_OFFSET, index);
        FrameMemory.putInt(step + TraceLayout.MTU_OFFSET, mtu);
        FrameMemory.putLong(step + TraceLayout.NEXT_HOP_OFFSET, nextHigh);
        FrameMemory.putLong(step + TraceLayout.NEXT_HOP_OFFSET + Long.BYTES, nextLow);
    }

    /** Stores the number of the egress interface and its VLAN tags in the last step of a frame. */
    public void egress(final int n, final int number, final long tags)
    {
        final long step = record(n) + lastSteps[n];
        FrameMemory.putInt(step + TraceLayout.EGRESS_OFFSET, number);
        FrameMemory.putLong(step + TraceLayout.EGRESS_TAGS_OFFSET, tags);
    }

    /** Stores an event in the last step of a frame; after a fate the frame has no further steps. */
    public void event(final int n, final TraceEvent event, final int detail)
    {
        final long step = record(n) + lastSteps[n];
        FrameMemory.putByte(step + TraceLayout.EVENT_OFFSET, event.ordinal());
        FrameMemory.putInt(step + TraceLayout.DETAIL_OFFSET, detail);
        if (event.isFate())
        {
            dispositions[n] = Disposition.SETTLED;
        }
    }

    /** Stores the reason of a drop in the last step of a frame. */
    public void reason(final int n, final int reason)
    {
        reasons[n] = reason;
        FrameMemory.putByte(record(n) + lastSteps[n] + TraceLayout.REASON_OFFSET, reason);
    }

    /** Stores the first bytes of a message about a frame in its last step, which must not have bytes. */
    public void message(final int n, final long address, final int length)
    {
        bytes(n, address, Math.min(length, TraceLayout.HEAD));
    }

    private void bytes(final int n, final long address, final int length)
    {
        final long step = record(n) + lastSteps[n];
        FrameMemory.putShort(step + TraceLayout.BYTES_LENGTH_OFFSET, length);
        FrameMemory.copy(address, step + TraceLayout.STEP_LENGTH, length);
        ends[n] = lastSteps[n] + TraceLayout.STEP_LENGTH + TraceLayout.align(length);
    }

    /** Stores the name of an access list in the last step of a frame, which must not have bytes. */
    public void name(final int n, final String name)
    {
        final long step = record(n) + lastSteps[n];
        final int length = Math.min(name.length(), TraceLayout.MAX_NAME);
        FrameMemory.putShort(step + TraceLayout.BYTES_LENGTH_OFFSET, length);
        for (int k = 0; k < length; k++)
        {
            FrameMemory.putByte(step + TraceLayout.STEP_LENGTH + k, name.charAt(k));
        }
        ends[n] = lastSteps[n] + TraceLayout.STEP_LENGTH + TraceLayout.align(length);
    }

    /** Writes the records into the ring; records without room are lost and counted. */
    public void finish()
    {
        for (int n = 0; n < size; n++)
        {
            final int claim = records.tryClaim(TraceLayout.FRAME, ports[n], ends[n]);
            if (claim != RecordRing.NONE)
            {
                FrameMemory.copy(record(n), records.address(claim), ends[n]);
                records.commit(claim);
            }
        }
        size = 0;
    }

    /** Frees the memory; the worker must not use it. */
    void free()
    {
        memory.close();
    }
}
