// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.umad.MadIoctls;
import io.github.rdma4j.internal.umad.RegisterAgent;
import java.util.Objects;

/** The options of an agent: the MADs that it sends and receives. Immutable. */
public final class AgentOptions {
    /** A client of subnet administration: it receives no requests, and the kernel reassembles long answers. */
    public static final AgentOptions SUBNET_ADMINISTRATION =
            builder(3, 2).rmpp(Rmpp.KERNEL).build();

    private static final int GSI_QPN = 1;
    private static final int RMPP_VERSION = 1;

    private final int managementClass;
    private final int classVersion;
    private final long methods;
    private final Rmpp rmpp;

    /** The place where long messages are segmented and reassembled (RMPP). */
    public enum Rmpp {
        /** Nowhere: the class has no long messages. */
        NONE,

        /** In the kernel: the agent sees one long MAD. */
        KERNEL,

        /** In the agent: it sees the segments. */
        USER
    }

    private AgentOptions(Builder builder) {
        managementClass = builder.managementClass;
        classVersion = builder.classVersion;
        methods = builder.methods;
        rmpp = builder.rmpp;
    }

    /**
     * A builder of options for one management class.
     *
     * @param managementClass the class of the agent's MADs, 0 to 255
     * @param classVersion the version of that class, 0 to 255
     */
    public static Builder builder(int managementClass, int classVersion) {
        return new Builder(managementClass, classVersion);
    }

    /** A builder that starts with these options. */
    public Builder toBuilder() {
        Builder builder = new Builder(managementClass, classVersion).rmpp(rmpp);
        builder.methods = methods;
        return builder;
    }

    /** Returns the management class of the agent's MADs, 0 to 255. */
    public int managementClass() {
        return managementClass;
    }

    /** Returns the version of the management class, 0 to 255. */
    public int classVersion() {
        return classVersion;
    }

    /** A bit for each method whose requests the agent receives. It always receives the answers to its own requests. */
    public long methods() {
        return methods;
    }

    /** The place where long messages are segmented and reassembled. */
    public Rmpp rmpp() {
        return rmpp;
    }

    RegisterAgent registration() {
        return new RegisterAgent(
                GSI_QPN,
                managementClass,
                classVersion,
                rmpp == Rmpp.USER ? MadIoctls.IB_USER_MAD_USER_RMPP : 0,
                methods,
                rmpp == Rmpp.NONE ? 0 : RMPP_VERSION);
    }

    /** Collects options. Mutable; for one thread. */
    public static final class Builder {
        private static final int MAX_BYTE = 0xff;

        private final int managementClass;
        private final int classVersion;
        private long methods;
        private Rmpp rmpp = Rmpp.NONE;

        private Builder(int managementClass, int classVersion) {
            this.managementClass = MadAddress.check("managementClass", managementClass, MAX_BYTE);
            this.classVersion = MadAddress.check("classVersion", classVersion, MAX_BYTE);
        }

        /** Adds a method, 0 to 63, whose requests the agent receives; none unless set. */
        public Builder method(int method) {
            methods |= 1L << MadAddress.check("method", method, Long.SIZE - 1);
            return this;
        }

        /** The place where long messages are segmented and reassembled; {@link Rmpp#NONE} unless set. */
        public Builder rmpp(Rmpp value) {
            rmpp = Objects.requireNonNull(value, "rmpp");
            return this;
        }

        /** Returns the options. */
        public AgentOptions build() {
            return new AgentOptions(this);
        }
    }
}
