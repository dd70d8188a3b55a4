// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

/**
 * The limits and capabilities of a device. Limits are promises of the driver, not reservations.
 *
 * @param fwVer firmware version, in the vendor's format
 * @param nodeGuid numeric value of the big-endian GUID of the node
 * @param sysImageGuid numeric value of the big-endian GUID of the system image
 * @param maxMrSize bytes of the largest memory region; unsigned
 * @param pageSizeCap page sizes supported, one bit each
 * @param vendorId IEEE OUI of the vendor
 * @param vendorPartId the vendor's part number
 * @param hwVer hardware version
 * @param maxQp queue pairs
 * @param maxQpWr work requests of one work queue
 * @param deviceCapFlags {@code IBV_DEVICE_*}
 * @param maxSge scatter-gather entries of one work request
 * @param maxSgeRd scatter-gather entries of one RDMA read
 * @param maxCq completion queues
 * @param maxCqe entries of one completion queue
 * @param maxMr memory regions
 * @param maxPd protection domains
 * @param maxQpRdAtom RDMA reads and atomics outstanding as responder, of one queue pair
 * @param maxEeRdAtom the same of one end-to-end context
 * @param maxResRdAtom responder resources of the device
 * @param maxQpInitRdAtom RDMA reads and atomics outstanding as initiator, of one queue pair
 * @param maxEeInitRdAtom the same of one end-to-end context
 * @param atomicCap atomicity: 0 none, 1 within the device, 2 global
 * @param maxEe end-to-end contexts
 * @param maxRdd reliable datagram domains
 * @param maxMw memory windows
 * @param maxRawIpv6Qp raw IPv6 queue pairs
 * @param maxRawEthyQp raw Ethertype queue pairs
 * @param maxMcastGrp multicast groups
 * @param maxMcastQpAttach queue pairs of one multicast group
 * @param maxTotalMcastQpAttach attachments of queue pairs to groups
 * @param maxAh address handles
 * @param maxFmr fast memory regions
 * @param maxMapPerFmr remaps of one fast memory region
 * @param maxSrq shared receive queues
 * @param maxSrqWr work requests of one shared receive queue
 * @param maxSrqSge scatter-gather entries of its work requests
 * @param maxPkeys partition keys of one port
 * @param localCaAckDelay exponent of the acknowledge delay, 4.096 us times a power of two
 * @param physPortCnt ports
 */
public record DeviceAttr(
        long fwVer,
        long nodeGuid,
        long sysImageGuid,
        long maxMrSize,
        long pageSizeCap,
        int vendorId,
        int vendorPartId,
        int hwVer,
        int maxQp,
        int maxQpWr,
        int deviceCapFlags,
        int maxSge,
        int maxSgeRd,
        int maxCq,
        int maxCqe,
        int maxMr,
        int maxPd,
        int maxQpRdAtom,
        int maxEeRdAtom,
        int maxResRdAtom,
        int maxQpInitRdAtom,
        int maxEeInitRdAtom,
        int atomicCap,
        int maxEe,
        int maxRdd,
        int maxMw,
        int maxRawIpv6Qp,
        int maxRawEthyQp,
        int maxMcastGrp,
        int maxMcastQpAttach,
        int maxTotalMcastQpAttach,
        int maxAh,
        int maxFmr,
        int maxMapPerFmr,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxPkeys,
        int localCaAckDelay,
        int physPortCnt) {}
