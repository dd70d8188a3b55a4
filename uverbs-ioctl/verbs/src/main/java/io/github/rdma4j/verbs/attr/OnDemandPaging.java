// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

/**
 * What a device can do with memory that is not pinned ({@code struct ibv_odp_caps}).
 *
 * @param general {@code IBV_ODP_SUPPORT}, {@code IBV_ODP_SUPPORT_IMPLICIT}
 * @param rc operations of reliable connections, {@code IBV_ODP_SUPPORT_*}
 * @param uc operations of unreliable connections
 * @param ud operations of datagrams
 * @param xrc operations of XRC
 */
public record OnDemandPaging(long general, int rc, int uc, int ud, int xrc) {
    /** A device that pins all memory. */
    static final OnDemandPaging NONE = new OnDemandPaging(0, 0, 0, 0, 0);

    private static final int SUPPORT = 1;
    private static final int IMPLICIT = 2;

    /** True when regions with {@link Access#ON_DEMAND} can be registered ({@code IBV_ODP_SUPPORT}). */
    public boolean isSupported() {
        return (general & SUPPORT) != 0;
    }

    /** True when one region can stand for the whole address space ({@code IBV_ODP_SUPPORT_IMPLICIT}). */
    public boolean isImplicitSupported() {
        return (general & IMPLICIT) != 0;
    }
}
