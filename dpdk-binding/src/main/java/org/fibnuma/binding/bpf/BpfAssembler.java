package org.fibnuma.binding.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assembles an eBPF program, instruction by instruction, with jumps to named labels. Instructions are encoded for
 * little-endian machines (linux/bpf.h struct bpf_insn, Documentation/bpf/instruction-set.rst, Linux 6.1). The kernel's
 * verifier checks the program when it is loaded. Every method returns this object. One thread.
 */
public final class BpfAssembler
{
    static final int INSTRUCTION_SIZE = 8;

    private static final int CLASS_LD = 0x00;
    private static final int CLASS_LDX = 0x01;
    private static final int CLASS_ST = 0x02;
    private static final int CLASS_STX = 0x03;
    private static final int CLASS_ALU = 0x04;
    private static final int CLASS_JMP = 0x05;
    private static final int CLASS_ALU64 = 0x07;
    private static final int MODE_IMM = 0x00;
    private static final int MODE_MEM = 0x60;
    private static final int SOURCE_REGISTER = 0x08;
    private static final int OP_END = 0xD0;
    private static final int OP_CALL = 0x80;
    private static final int OP_EXIT = 0x90;
    private static final int PSEUDO_MAP_FD = 1;
    private static final int PSEUDO_MAP_VALUE = 2;

    private final List<Instruction> instructions = new ArrayList<>();
    private final Map<String, Integer> labels = new HashMap<>();

    /** {@code destination = *(base + offset)}, zero-extended; the offset is in bytes, 16 bits signed. */
    public BpfAssembler load(
        final BpfSize size, final BpfRegister destination, final BpfRegister base, final int offset)
    {
        return add(CLASS_LDX | MODE_MEM | size.code(), destination, base, offset, 0);
    }

    /** {@code *(base + offset) = source}, the low bits of the source; the offset is in bytes, 16 bits signed. */
    public BpfAssembler store(final BpfSize size, final BpfRegister base, final int offset, final BpfRegister source)
    {
        return add(CLASS_STX | MODE_MEM | size.code(), base, source, offset, 0);
    }

    /** {@code *(base + offset) = value}, sign-extended to eight bytes; the offset is in bytes, 16 bits signed. */
    public BpfAssembler store(final BpfSize size, final BpfRegister base, final int offset, final int value)
    {
        return add(CLASS_ST | MODE_MEM | size.code(), base, BpfRegister.R0, offset, value);
    }

    /** {@code destination = destination op source}, 64 bits. */
    public BpfAssembler alu(
        final BpfArithmetic operation, final BpfRegister destination, final BpfRegister source)
    {
        return add(CLASS_ALU64 | SOURCE_REGISTER | operation.code(), destination, source, 0, 0);
    }

    /** {@code destination = destination op value}, 64 bits; the value is sign-extended. */
    public BpfAssembler alu(final BpfArithmetic operation, final BpfRegister destination, final int value)
    {
        return add(CLASS_ALU64 | operation.code(), destination, BpfRegister.R0, 0, value);
    }

    /** {@code destination = destination op source} on the low 32 bits; the high bits become 0. */
    public BpfAssembler alu32(
        final BpfArithmetic operation, final BpfRegister destination, final BpfRegister source)
    {
        return add(CLASS_ALU | SOURCE_REGISTER | operation.code(), destination, source, 0, 0);
    }

    /** {@code destination = destination op value} on the low 32 bits; the high bits become 0. */
    public BpfAssembler alu32(final BpfArithmetic operation, final BpfRegister destination, final int value)
    {
        return add(CLASS_ALU | operation.code(), destination, BpfRegister.R0, 0, value);
    }

    /** {@code destination = source}. */
    public BpfAssembler mov(final BpfRegister destination, final BpfRegister source)
    {
        return alu(BpfArithmetic.MOV, destination, source);
    }

    /** {@code destination = value}, sign-extended. */
    public BpfAssembler mov(final BpfRegister destination, final int value)
    {
        return alu(BpfArithmetic.MOV, destination, value);
    }

    /** {@code destination = value}, all 64 bits. */
    public BpfAssembler movLong(final BpfRegister destination, final long value)
    {
        return addWide(destination, BpfRegister.R0, (int)value, (int)(value >>> Integer.SIZE));
    }

    /** {@code destination = map}, for helpers with a map argument. The kernel keeps the map as long as the program. */
    public BpfAssembler movMap(final BpfRegister destination, final BpfMap map)
    {
        return addWide(destination, BpfRegister.values()[PSEUDO_MAP_FD], map.fd(), 0);
    }

    /** {@code destination = address of the value of an array map with one entry}, plus an offset in bytes. */
    public BpfAssembler movMapValue(final BpfRegister destination, final BpfMap map, final int offset)
    {
        return addWide(destination, BpfRegister.values()[PSEUDO_MAP_VALUE], map.fd(), offset);
    }

    /**
     * Converts the low two, four or eight bytes of a register between network and machine order, and clears the others.
     */
    public BpfAssembler networkOrder(final BpfSize size, final BpfRegister destination)
    {
        final int bits = size == BpfSize.HALF ? Short.SIZE : size == BpfSize.WORD ? Integer.SIZE : Long.SIZE;
        return add(CLASS_ALU | SOURCE_REGISTER | OP_END, destination, BpfRegister.R0, 0, bits);
    }

    /** Jumps to a label. */
    public BpfAssembler jump(final String label)
    {
        instructions.add(new Instruction(CLASS_JMP, BpfRegister.R0, BpfRegister.R0, 0, 0, label));
        return this;
    }

    /** Jumps to a label if a condition is true for two registers, the destination being the left operand. */
    public BpfAssembler jumpIf(
        final BpfCondition condition, final BpfRegister destination, final BpfRegister source, final String label)
    {
        instructions.add(
            new Instruction(CLASS_JMP | SOURCE_REGISTER | condition.code(), destination, source, 0, 0, label));
        return this;
    }

    /** Jumps to a label if a condition is true for a register and a sign-extended value. */
    public BpfAssembler jumpIf(
        final BpfCondition condition, final BpfRegister destination, final int value, final String label)
    {
        instructions.add(
            new Instruction(CLASS_JMP | condition.code(), destination, BpfRegister.R0, 0, value, label));
        return this;
    }

    /**
     * Defines a label at the next instruction.
     *
     * @throws IllegalStateException if the label exists.
     */
    public BpfAssembler label(final String label)
    {
        if (labels.put(label, instructions.size()) != null)
        {
            throw new IllegalStateException("label \"" + label + "\" is defined twice");
        }
        return this;
    }

    /** Calls a helper: arguments in R1 to R5, whose values are lost; result in R0. */
    public BpfAssembler call(final BpfHelper helper)
    {
        return add(CLASS_JMP | OP_CALL, BpfRegister.R0, BpfRegister.R0, 0, helper.number());
    }

    /** Ends the program with R0 as the result. */
    public BpfAssembler exit()
    {
        return add(CLASS_JMP | OP_EXIT, BpfRegister.R0, BpfRegister.R0, 0, 0);
    }

    /**
     * Returns the program as consecutive {@code struct bpf_insn}.
     *
     * @throws IllegalStateException if a label is missing or too far away.
     */
    public byte[] assemble()
    {
        final ByteBuffer code =
            ByteBuffer.allocate(instructions.size() * INSTRUCTION_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < instructions.size(); i++)
        {
            final Instruction instruction = instructions.get(i);
            code.put((byte)instruction.opcode())
                .put((byte)(instruction.source().ordinal() << 4 | instruction.destination().ordinal()))
                .putShort(instruction.label() == null ? (short)instruction.offset() : distance(i, instruction.label()))
                .putInt(instruction.immediate());
        }
        return code.array();
    }

    private short distance(final int from, final String label)
    {
        final Integer to = labels.get(label);
        if (to == null)
        {
            throw new IllegalStateException("label \"" + label + "\" is not defined");
        }
        final int distance = to - from - 1;
        if (distance != (short)distance)
        {
            throw new IllegalStateException("label \"" + label + "\" is " + distance + " instructions away");
        }
        return (short)distance;
    }

    private BpfAssembler addWide(
        final BpfRegister destination, final BpfRegister source, final int low, final int high)
    {
        add(CLASS_LD | MODE_IMM | BpfSize.DOUBLE.code(), destination, source, 0, low);
        return add(0, BpfRegister.R0, BpfRegister.R0, 0, high);
    }

    private BpfAssembler add(
        final int opcode,
        final BpfRegister destination,
        final BpfRegister source,
        final int offset,
        final int immediate)
    {
        if (offset != (short)offset)
        {
            throw new IllegalArgumentException("offset " + offset + " does not fit 16 bits");
        }
        instructions.add(new Instruction(opcode, destination, source, offset, immediate, null));
        return this;
    }

    private record Instruction(
        int opcode, BpfRegister destination, BpfRegister source, int offset, int immediate, String label)
    {
    }
}
