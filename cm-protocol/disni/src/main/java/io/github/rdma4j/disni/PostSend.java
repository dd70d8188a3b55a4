// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Prepared sends; executing them allocates nothing, and what was set anew is looked up then. */
final class PostSend extends SVCPostSend {
    private final Handles.Qp qp;
    private final QueuePair queue;
    private final SendWr[] wrs;
    private final SendWorkRequest[] requests;
    private final ReentrantLock preparing = new ReentrantLock();
    private boolean valid = true;

    PostSend(Handles.Qp qp, List<IbvSendWR> list) {
        this.qp = qp;
        this.queue = qp.qp;
        this.wrs = new SendWr[list.size()];
        this.requests = new SendWorkRequest[wrs.length];
        int i = 0;
        for (IbvSendWR each : list) {
            SendWr wr = new SendWr(qp, each);
            wrs[i] = wr;
            requests[i++] = wr.request;
        }
    }

    @Override
    public SVCPostSend execute() throws IOException {
        if (!qp.isOpen()) {
            throw new IOException("the queue pair is closed");
        }
        try {
            if (!(isChanged() ? prepareAndPost() : post())) {
                throw new IOException("ibv_post_send: the send queue is full");
            }
            return this;
        } catch (IllegalStateException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | UnsupportedOperationException e) {
            throw Failures.io("ibv_post_send", e);
        }
    }

    private boolean isChanged() {
        for (SendWr wr : wrs) {
            if (wr.mustBePrepared()) {
                return true;
            }
        }
        return false;
    }

    /** Another thread that executes this must not see requests that are half made. */
    private boolean prepareAndPost() throws IOException {
        preparing.lock();
        try {
            for (SendWr wr : wrs) {
                if (wr.mustBePrepared()) {
                    wr.prepare();
                }
            }
            return post();
        } finally {
            preparing.unlock();
        }
    }

    private boolean post() throws IOException {
        return requests.length == 1
                ? queue.tryPostSend(requests[0])
                : queue.postSend(requests, requests.length) == requests.length;
    }

    @Override
    public SendWRMod getWrMod(int index) {
        return wrs[index];
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostSend free() {
        valid = false;
        return this;
    }
}
