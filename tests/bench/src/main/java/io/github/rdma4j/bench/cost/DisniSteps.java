// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import static io.github.rdma4j.bench.cost.VerbsSteps.BATCH;
import static io.github.rdma4j.bench.cost.VerbsSteps.check;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/** The operations of {@link DisniPace}, by DiSNI's calls as its users make them: each does {@link VerbsSteps#BATCH} of them. */
final class DisniSteps {
    private static final int MANY = 16;

    private final DisniObjects on;
    private final InstantDevice device;
    private final List<IbvSendWR> request;
    private final SVCPostSend single;
    private final SVCPostSend anew;
    private final SVCPostSend chain;
    private final IbvWC[] one = completions(1);
    private final IbvWC[] many = completions(MANY);
    private final SVCPollCq pollOne;
    private final SVCPollCq pollMany;

    DisniSteps(DisniObjects on, InstantDevice device) throws IOException {
        this.on = on;
        this.device = device;
        request = List.of(request());
        single = on.verbs().postSend(on.qp(), request, null);
        anew = on.verbs().postSend(on.qp(), request, null);
        chain = on.verbs().postSend(on.qp(), Collections.nCopies(MANY, request()), null);
        pollOne = on.verbs().pollCQ(on.cq(), one, 1);
        pollMany = on.verbs().pollCQ(on.cq(), many, MANY);
    }

    private IbvSendWR request() {
        IbvSge piece = new IbvSge();
        piece.setAddr(on.address());
        piece.setLength(DisniObjects.LENGTH);
        piece.setLkey(on.lkey());
        IbvSendWR made = new IbvSendWR();
        made.setWr_id(1);
        made.setOpcode(IbvSendWR.IBV_WR_SEND);
        made.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        made.getSg_list().add(piece);
        made.setNum_sge(1);
        return made;
    }

    private static IbvWC[] completions(int count) {
        IbvWC[] made = new IbvWC[count];
        for (int i = 0; i < count; i++) {
            made[i] = new IbvWC();
        }
        return made;
    }

    // ---- what is timed

    void post() throws IOException {
        for (int i = 0; i < BATCH; i++) {
            single.execute();
        }
    }

    /** With every field set, as DaRPC and Crail do; number, address and length are others than before. */
    void postAnew() throws IOException {
        for (int i = 0; i < BATCH; i++) {
            int odd = i & 1;
            SVCPostSend.SendWRMod wr = anew.getWrMod(0);
            wr.setWr_id(i);
            wr.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            SVCPostSend.SgeMod piece = wr.getSgeMod(0);
            piece.setAddr(on.address() + odd);
            piece.setLength(DisniObjects.LENGTH - odd);
            piece.setLkey(on.lkey());
            anew.execute();
        }
    }

    /** With a call that is made and freed for each. */
    void postNew() throws IOException {
        for (int i = 0; i < BATCH; i++) {
            on.verbs().postSend(on.qp(), request, null).execute().free();
        }
    }

    void postMany() throws IOException {
        for (int posted = 0; posted < BATCH; posted += MANY) {
            chain.execute();
        }
    }

    void poll() throws IOException {
        for (int i = 0; i < BATCH; i++) {
            check(pollOne.execute().getPolls() == 1 && one[0].getStatus() == 0 && one[0].getWr_id() == 1);
        }
    }

    void pollMany() throws IOException {
        for (int polled = 0; polled < BATCH; polled += MANY) {
            check(pollMany.execute().getPolls() == MANY && many[0].getStatus() == 0 && many[0].getWr_id() == 1);
        }
    }

    void pollEmpty() throws IOException {
        for (int i = 0; i < BATCH; i++) {
            check(pollOne.execute().getPolls() == 0);
        }
    }

    // ---- what is not

    void drain() throws IOException {
        complete();
        for (int polled = 0; polled < BATCH; polled += MANY) {
            check(pollMany.execute().getPolls() == MANY && many[0].getStatus() == 0);
        }
    }

    void fill() throws IOException {
        postMany();
        complete();
    }

    private void complete() {
        check(device.device_complete(BATCH) == BATCH);
    }
}
