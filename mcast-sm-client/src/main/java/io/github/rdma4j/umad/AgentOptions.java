// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.umad.MadIoctls;
import io.github.rdma4j.internal.umad.RegisterAgent;
import io.github.rdma4j.internal.umad.RegisterAgent2;

/**
 * Which MADs an agent sends and receives.
 *
 * @param managementClass the class of its MADs
 * @param classVersion the version of that class
 * @param methods bits of the methods, 0 to 63, whose requests it receives; answers to its own it receives in any case
 * @param rmpp who deals with messages of several MADs
 */
public record AgentOptions(int managementClass, int classVersion, long methods, Rmpp rmpp) {
    private static final int GSI_QPN = 1;
    private static final int RMPP_VERSION = 1;
    private static final int SUBNET_ADMINISTRATION = 3;
    private static final int SUBNET_ADMINISTRATION_VERSION = 2;

    /** Who cuts a long message into segments and puts it together. */
    public enum Rmpp {
        /** Nobody: the class has no long messages. */
        NONE,

        /** The kernel; the agent sees one long MAD. */
        KERNEL,

        /** The agent; it sees the segments. */
        USER
    }

    /** A client of subnet administration: it receives no requests. */
    public static AgentOptions subnetAdministration(Rmpp rmpp) {
        return new AgentOptions(SUBNET_ADMINISTRATION, SUBNET_ADMINISTRATION_VERSION, 0, rmpp);
    }

    /** The same with one more method whose requests it receives. */
    public AgentOptions withMethod(int method) {
        if (method < 0 || method >= Long.SIZE) {
            throw new IllegalArgumentException("method " + method + " is not in 0..63");
        }
        return new AgentOptions(managementClass, classVersion, methods | 1L << method, rmpp);
    }

    RegisterAgent toOld() {
        return new RegisterAgent(methods, GSI_QPN, managementClass, classVersion, rmpp == Rmpp.NONE ? 0 : RMPP_VERSION);
    }

    RegisterAgent2 toNew() {
        return new RegisterAgent2(
                GSI_QPN,
                managementClass,
                classVersion,
                rmpp == Rmpp.USER ? MadIoctls.IB_USER_MAD_USER_RMPP : 0,
                methods,
                rmpp == Rmpp.NONE ? 0 : RMPP_VERSION);
    }
}
