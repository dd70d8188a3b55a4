// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Shadow;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrq;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A shared receive queue of a script as the device sees it. */
final class IrdmaShared extends PlayedQueues.Shared {
    /** What the completion of a receive repeats; the library has the number of the request there, the provider a tag. */
    private static final int NAME = 16;

    private final PlayedIrdma device;
    private final ByteBuffer memory;
    private final ByteBuffer shadow;
    private final int entries;
    private final int bytes;
    private int shown;
    private int devicePosition;

    IrdmaShared(PlayedIrdma device, SharedReceiveRing ring, CapturedRequest request, int number) {
        super(ring, request, number);
        this.device = device;
        this.memory = request.memory(CreateSrq.USER_SRQ_BUF).order(ByteOrder.LITTLE_ENDIAN);
        this.shadow = request.memory(CreateSrq.USER_SHADOW_AREA).order(ByteOrder.LITTLE_ENDIAN);
        this.entries = ring.capacity() + 1;
        this.bytes = Elements.QUANTUM << IrdmaMode.shift(ring.maxSge());
    }

    private long head() {
        return shadow.getLong(Shadow.HEAD_WORD * Long.BYTES);
    }

    @Override
    protected String recordText() {
        return String.format("  record %016x", head()) + device.takeRegistered();
    }

    @Override
    protected List<String> posted() {
        List<String> texts = new ArrayList<>();
        while (shown != head()) {
            ByteBuffer element = ByteBuffer.wrap(PlayedQueues.bytes(memory, shown * bytes, bytes));
            texts.add("  entry " + shown + " "
                    + PlayedQueues.hex(element.putLong(NAME, 0).array()));
            shown = (shown + 1) % entries;
        }
        return texts;
    }

    @Override
    protected int take() {
        long name = memory.getLong(devicePosition * bytes + NAME);
        devicePosition = (devicePosition + 1) % entries;
        return device.take(name);
    }
}
