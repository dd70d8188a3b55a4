// SPDX-License-Identifier: Apache-2.0

/** What programs did, as the recorder in the guest and the Flight Recorder tell it. */
@NullMarked
package io.github.rdma4j.lab.trace.recording;

import org.jspecify.annotations.NullMarked;
