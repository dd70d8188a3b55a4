// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/** A work request cannot be carried out; nothing has been changed yet. */
final class CardFault extends Exception {
    private static final long serialVersionUID = 1;

    private final Syndrome syndrome;

    CardFault(Syndrome syndrome) {
        super(syndrome.name(), null, false, false);
        this.syndrome = syndrome;
    }

    Syndrome syndrome() {
        return syndrome;
    }

    /** Why a work request failed, {@code MLX5_CQE_SYNDROME_*} of {@code infiniband/mlx5dv.h}. */
    enum Syndrome {
        LOCAL_LENGTH_ERR(0x01),
        LOCAL_QP_OP_ERR(0x02),
        LOCAL_PROT_ERR(0x04),
        WR_FLUSH_ERR(0x05),
        MW_BIND_ERR(0x06),
        REMOTE_INVAL_REQ_ERR(0x12),
        REMOTE_ACCESS_ERR(0x13),
        REMOTE_OP_ERR(0x14),
        TRANSPORT_RETRY_EXC_ERR(0x15),
        RNR_RETRY_EXC_ERR(0x16),
        REMOTE_ABORTED_ERR(0x22);

        private final int code;

        Syndrome(int code) {
            this.code = code;
        }

        /** The byte of the completion. */
        public int code() {
            return code;
        }
    }
}
