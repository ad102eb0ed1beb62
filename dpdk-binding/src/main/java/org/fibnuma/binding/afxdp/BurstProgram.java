package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfMapType;
import org.fibnuma.binding.bpf.BpfSize;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R10;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.fibnuma.binding.bpf.BpfRegister.R4;
import static org.fibnuma.binding.bpf.BpfRegister.R6;
import static org.fibnuma.binding.bpf.BpfRegister.R7;
import static org.fibnuma.binding.bpf.BpfRegister.R8;
import static org.fibnuma.binding.bpf.BpfRegister.R9;

/**
 * Instructions that fill a blank frame of a live run with the next record of a {@link LiveBurst}, and the memory of the
 * bursts.
 * <pre>
 *   blank frame, length selects the queue --&gt; next record --&gt; adjust tail, store bytes
 * </pre>
 * They are part of the attached program, because the kernel patches code for milliseconds whenever it runs a program
 * that is not attached.
 */
final class BurstProgram implements AutoCloseable
{
    private static final int INDEX_ON_STACK = -Integer.BYTES;
    private static final int LENGTH_ON_STACK = -2 * Long.BYTES;

    private final BpfMap records;
    private final long address;

    /** Creates the memory of a number of queues, each with a burst. The name of the map has up to 15 characters. */
    BurstProgram(final int queueCount, final String name)
    {
        final BpfMap map = BpfMap.create(
            BpfMapType.ARRAY, Integer.BYTES, BurstLayout.SIZE, queueCount, BpfMap.MMAPABLE, name);
        try
        {
            this.address = map.mapValues();
            this.records = map;
        }
        catch (final RuntimeException ex)
        {
            map.close();
            throw ex;
        }
    }

    /** Returns the address of the state and records of a queue, with the layout {@link BurstLayout}. */
    long address(final int queue)
    {
        return address + (long)queue * BpfMap.valueStride(BurstLayout.SIZE);
    }

    /** Appends the instructions; the context is in R6. They continue at a label if there is no record. */
    void appendTo(final BpfAssembler assembler, final String drop)
    {
        appendFindQueue(assembler, drop);
        appendTakeRecord(assembler, drop);
        assembler
            .load(BpfSize.DOUBLE, R0, R10, LENGTH_ON_STACK)
            .mov(R2, R8)
            .alu(BpfArithmetic.SUB, R2, R0)
            .mov(R1, R6)
            .call(BpfHelper.XDP_ADJUST_TAIL)
            .jumpIf(BpfCondition.NOT_EQUAL, R0, 0, drop)
            .mov(R1, R6)
            .mov(R2, 0)
            .mov(R3, R9)
            .alu(BpfArithmetic.ADD, R3, BurstLayout.RECORDS_OFFSET + BurstLayout.FRAME_OFFSET)
            .mov(R4, R8)
            .call(BpfHelper.XDP_STORE_BYTES)
            .jumpIf(BpfCondition.NOT_EQUAL, R0, 0, drop);
    }

    @Override
    public void close()
    {
        records.close();
    }

    /** R7 = the state of the queue's burst; the frame's length is on the stack. */
    private void appendFindQueue(final BpfAssembler assembler, final String drop)
    {
        assembler
            .mov(R1, R6)
            .call(BpfHelper.XDP_GET_BUFF_LEN)
            .store(BpfSize.DOUBLE, R10, LENGTH_ON_STACK, R0)
            .alu(BpfArithmetic.SUB, R0, BurstLayout.INITIAL_LENGTH)
            .store(BpfSize.WORD, R10, INDEX_ON_STACK, R0)
            .movMap(R1, records)
            .mov(R2, R10)
            .alu(BpfArithmetic.ADD, R2, INDEX_ON_STACK)
            .call(BpfHelper.MAP_LOOKUP_ELEM)
            .jumpIf(BpfCondition.EQUAL, R0, 0, drop)
            .mov(R7, R0);
    }

    /** R9 = the record less RECORDS_OFFSET, R8 = length of its frame; advances the state. */
    private static void appendTakeRecord(final BpfAssembler assembler, final String drop)
    {
        assembler
            .load(BpfSize.WORD, R1, R7, BurstLayout.DONE_OFFSET)
            .load(BpfSize.WORD, R2, R7, BurstLayout.COUNT_OFFSET)
            .jumpIf(BpfCondition.ABOVE_OR_EQUAL, R1, R2, drop)
            .alu(BpfArithmetic.ADD, R1, 1)
            .store(BpfSize.WORD, R7, BurstLayout.DONE_OFFSET, R1)
            .load(BpfSize.WORD, R8, R7, BurstLayout.CURSOR_OFFSET)
            .jumpIf(BpfCondition.ABOVE, R8, BurstLayout.RECORDS_SIZE - BurstLayout.MAX_RECORD_SIZE, drop)
            .mov(R9, R7)
            .alu(BpfArithmetic.ADD, R9, R8)
            .mov(R1, R8)
            .load(BpfSize.WORD, R8, R9, BurstLayout.RECORDS_OFFSET + BurstLayout.LENGTH_OFFSET)
            .jumpIf(BpfCondition.BELOW, R8, BurstLayout.MIN_FRAME_LENGTH, drop)
            .jumpIf(BpfCondition.ABOVE, R8, BurstLayout.MAX_FRAME_LENGTH, drop)
            .alu(BpfArithmetic.ADD, R1, R8)
            .alu(BpfArithmetic.ADD, R1, BurstLayout.FRAME_OFFSET + BurstLayout.ALIGNMENT - 1)
            .alu(BpfArithmetic.AND, R1, -BurstLayout.ALIGNMENT)
            .store(BpfSize.WORD, R7, BurstLayout.CURSOR_OFFSET, R1);
    }
}
