// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import java.io.IOException;

/** A prepared poll; executing it allocates nothing. */
final class PollCq extends SVCPollCq {
    private final Handles.Cq cq;
    private final CompletionQueue queue;
    private final IbvWC[] into;
    private final WorkCompletion[] completions;
    private int polls;
    private boolean valid = true;

    PollCq(Handles.Cq cq, IbvWC[] into, int entries) {
        this.cq = cq;
        this.queue = cq.cq;
        this.into = into;
        this.completions = WorkCompletion.array(Math.min(entries, into.length));
    }

    @Override
    public SVCPollCq execute() throws IOException {
        polls = 0;
        if (!cq.isOpen()) {
            throw new IOException("the completion queue is closed");
        }
        int polled;
        try {
            polled = queue.poll(completions);
        } catch (IllegalStateException e) {
            throw Failures.io("ibv_poll_cq", e);
        }
        for (int i = 0; i < polled; i++) {
            copy(completions[i], into[i]);
        }
        polls = polled;
        return this;
    }

    /** Of a failure too: libdisni leaves the number of the queue pair out, by which a program finds the endpoint. */
    private static void copy(WorkCompletion from, IbvWC to) {
        to.setWr_id(from.wrId());
        to.setStatus(from.rawStatus());
        to.setOpcode(from.rawOpcode());
        to.setVendor_err(from.vendorError());
        to.setByte_len(from.byteLength());
        to.setImm_data(WireOrder.swap(from.immediate()));
        to.setQp_num(from.qpNumber());
        to.setSrc_qp(from.sourceQp());
        to.setWc_flags(from.flags());
        to.setPkey_index((short) from.pkeyIndex());
        to.setSlid((short) from.slid());
        to.setSl((short) from.sl());
        to.setDlid_path_bits((short) from.dlidPathBits());
    }

    @Override
    public int getPolls() {
        return polls;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPollCq free() {
        valid = false;
        return this;
    }
}
