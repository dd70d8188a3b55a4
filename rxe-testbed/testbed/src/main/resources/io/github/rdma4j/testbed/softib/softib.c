// SPDX-License-Identifier: GPL-2.0
/*
 * InfiniBand in software: an InfiniBand link layer below the transport of
 * rdma_rxe, "rdma link add NAME type softib netdev ETHERNET", and with a second
 * port "rdma link add NAME+ETHERNET2 type softib netdev ETHERNET". Part of the
 * testbed of rdma4j; softib.patch calls it from rdma_rxe.
 *
 * A packet is an InfiniBand packet without its variant CRC (LRH, maybe GRH,
 * BTH, ..., ICRC) in an Ethernet frame. An InfiniBand link has two ends, which
 * find each other with hello frames: two adapters on one Ethernet, or an
 * adapter and a port of a switch, which speaks to each adapter by unicast and
 * wins over another adapter. All packets go to the MAC address of the partner.
 *
 * Locks: softib.lock may be taken in any context and nothing is called below it
 * that takes another lock. Events, frames and log lines come after it.
 */

#include <linux/crc32.h>
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <net/addrconf.h>
#include <net/sock.h>
#include <rdma/rdma_netlink.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_queue.h"
#include "softib_compat.h"

/* the two types for local experiments */
#define TYPE_PACKET		0x88b5
#define TYPE_HELLO		0x88b6

#define VL15			0xf0
#define NEXT_TRANSPORT		2
#define NEXT_GRH		3
#define GRH_NEXT_HEADER		0x1b
#define PACKET_HEADERS		96	/* the most that surrounds a payload */

#define HELLO_MAGIC		0x49426c6b
#define HELLO_VERSION		1
#define HELLO_SWITCH		BIT(0)	/* from a port of a switch */
#define HELLO_BYE		BIT(1)	/* the link ends */
#define HELLO_RETRAIN		BIT(2)	/* the link goes down and up again */
#define HELLO_PERIOD		(HZ / 2)
#define LONGEST_SILENCE		20	/* periods */

#define VENDOR_ID		0xffffff

/* beside the numbers of enum ib_event_type: the link has come up */
#define LINK_UP			31

struct hello {
	__be32			magic;
	u8			version;
	u8			flags;
	u8			width;	/* of the link, 0 if the sender does not care */
	u8			speed;
	u8			partner[ETH_ALEN];
	__be16			port;
	__be64			guid;
} __packed;

/* guards sk_user_data of the sockets of queue pairs */
static DEFINE_SPINLOCK(owners_lock);

void softib_count(struct softib *sib, enum softib_counter counter, u64 by)
{
	atomic64_add(by, &sib->counters[counter]);
}

/* ---- packets ------------------------------------------------------------ */

static struct softib_lrh *lrh_of(const struct sk_buff *skb)
{
	return (struct softib_lrh *)skb_mac_header(skb);
}

static bool has_grh(const struct softib_lrh *lrh)
{
	return (lrh->sl_next & 3) == NEXT_GRH;
}

static struct ib_grh *grh_of(const struct sk_buff *skb)
{
	return (struct ib_grh *)(lrh_of(skb) + 1);
}

static bool is_multicast(u16 lid)
{
	return lid >= SOFTIB_LIDS && lid != SOFTIB_PERMISSIVE;
}

static bool is_own(const struct softib *sib, u16 lid)
{
	const struct ib_port_attr *attr = &sib->port->attr;

	return attr->lid && lid >> attr->lmc == attr->lid >> attr->lmc;
}

static bool is_own_gid(struct softib *sib, const union ib_gid *gid)
{
	int i;

	if (gid->raw[0] == 0xff)
		return true;
	if (gid->global.subnet_prefix != sib->port->subnet_prefix &&
	    gid->global.subnet_prefix != cpu_to_be64(RXE_PORT_SUBNET_PREFIX))
		return false;
	for (i = 0; i < SOFTIB_GUIDS; i++)
		if (gid->global.interface_id && gid->global.interface_id == sib->guids[i])
			return true;
	return false;
}

static u16 path_bits(const struct softib *sib, u16 bits)
{
	return bits & ((1 << sib->port->attr.lmc) - 1);
}

/* LRH, GRH and BTH with ones where a switch or router changes them */
static u32 icrc_begin(const struct sk_buff *skb, const void *bth)
{
	struct softib_lrh lrh = *lrh_of(skb);
	u8 masked[RXE_BTH_BYTES];
	u32 crc;

	lrh.vl_version |= 0xf0;
	crc = crc32_le(~0, (u8 *)&lrh, sizeof(lrh));
	if (has_grh(&lrh)) {
		struct ib_grh grh = *grh_of(skb);

		grh.version_tclass_flow |= cpu_to_be32(0x0fffffff);
		grh.hop_limit = 0xff;
		crc = crc32_le(crc, (u8 *)&grh, sizeof(grh));
	}
	memcpy(masked, bth, sizeof(masked));
	masked[4] = 0xff;
	return crc32_le(crc, masked, sizeof(masked));
}

__be32 softib_icrc_headers(struct sk_buff *skb, struct rxe_pkt_info *pkt)
{
	u32 crc = icrc_begin(skb, pkt->hdr);

	return (__force __be32)crc32_le(crc, pkt->hdr + RXE_BTH_BYTES,
					rxe_opcode[pkt->opcode].length - RXE_BTH_BYTES);
}

static struct sk_buff *new_frame(struct net_device *ndev, int headers, int length)
{
	int room = LL_RESERVED_SPACE(ndev) + headers;
	struct sk_buff *skb;

	skb = alloc_skb(room + length + ndev->needed_tailroom, GFP_ATOMIC);
	if (!skb)
		return NULL;
	skb_reserve(skb, room);
	skb->dev = ndev;
	return skb;
}

static void send_frame(struct softib *sib, struct sk_buff *skb, u16 type, const u8 *to)
{
	skb->protocol = htons(type);
	skb_reset_network_header(skb);
	if (dev_hard_header(skb, sib->ndev, type, to, NULL, skb->len) < 0)
		kfree_skb(skb);
	else
		dev_queue_xmit(skb);
}

/* Takes a packet from its LRH on, whose lengths have been checked, as received. */
static void deliver(struct softib *sib, struct sk_buff *skb)
{
	struct softib_lrh *lrh = (struct softib_lrh *)skb->data;
	struct rxe_pkt_info *pkt = SKB_TO_PKT(skb);
	int headers = sizeof(*lrh);

	if (!ib_device_try_get(&sib->rxe->ib_dev)) {
		kfree_skb(skb);
		return;
	}
	skb_reset_mac_header(skb);
	skb_reset_network_header(skb);
	skb->protocol = htons(TYPE_PACKET);
	memset(pkt, 0, sizeof(*pkt));
	pkt->rxe = sib->rxe;
	pkt->port_num = sib->number;
	/* the addresses have been checked */
	pkt->mask = RXE_LOOPBACK_MASK;
	if (has_grh(lrh)) {
		/* rxe looks for the group where IPv6 has it, and so does the GRH */
		skb_set_network_header(skb, sizeof(*lrh));
		skb->protocol = htons(ETH_P_IPV6);
		headers += sizeof(struct ib_grh);
		pkt->mask |= RXE_GRH_MASK;
	}
	skb_pull(skb, headers);
	pkt->hdr = skb->data;
	pkt->paylen = skb->len;
	rxe_rcv(skb);
}

/* ---- address vectors ---------------------------------------------------- */

/* struct rxe_av is seen by user space: InfiniBand's address lies in the bytes
 * of the MAC address. The values of a vector may come from user space.
 */
enum { AV_DLID, AV_SL = 2, AV_BITS, AV_FLAGS, AV_RATE };

static u16 av_dlid(const struct rxe_av *av)
{
	return get_unaligned_be16(&av->dmac[AV_DLID]);
}

static bool av_grh(const struct rxe_av *av)
{
	return av->dmac[AV_FLAGS] & IB_AH_GRH;
}

void softib_init_av(struct rdma_ah_attr *attr, struct rxe_av *av)
{
	memset(av, 0, sizeof(*av));
	if (rdma_ah_get_ah_flags(attr) & IB_AH_GRH) {
		rxe_av_from_attr(rdma_ah_get_port_num(attr), av, attr);
		av->dmac[AV_FLAGS] = IB_AH_GRH;
	}
	av->port_num = rdma_ah_get_port_num(attr);
	av->network_type = SOFTIB_NETWORK_TYPE;
	put_unaligned_be16(rdma_ah_get_dlid(attr), &av->dmac[AV_DLID]);
	av->dmac[AV_SL] = rdma_ah_get_sl(attr) & 0xf;
	av->dmac[AV_BITS] = rdma_ah_get_path_bits(attr) & 0x7f;
	av->dmac[AV_RATE] = rdma_ah_get_static_rate(attr);
}

void softib_av_to_attr(struct rxe_av *av, struct rdma_ah_attr *attr)
{
	attr->type = RDMA_AH_ATTR_TYPE_IB;
	rdma_ah_set_ah_flags(attr, 0);
	rdma_ah_set_port_num(attr, av->port_num);
	rdma_ah_set_dlid(attr, av_dlid(av));
	rdma_ah_set_sl(attr, av->dmac[AV_SL]);
	rdma_ah_set_path_bits(attr, av->dmac[AV_BITS]);
	rdma_ah_set_static_rate(attr, av->dmac[AV_RATE]);
	if (!av_grh(av))
		return;
	rdma_ah_set_grh(attr, NULL, av->grh.flow_label, av->grh.sgid_index,
			av->grh.hop_limit, av->grh.traffic_class);
	rdma_ah_set_dgid_raw(attr, av->grh.dgid.raw);
}

/* A DLID of 0 is what ib_sa has before there is a subnet manager. */
int softib_check_av(struct rxe_dev *rxe, struct rdma_ah_attr *attr)
{
	if (rdma_ah_get_ah_flags(attr) & IB_AH_GRH &&
	    rdma_ah_read_grh(attr)->sgid_index >= SOFTIB_GUIDS)
		return -EINVAL;
	return 0;
}

/* ---- sending ------------------------------------------------------------ */

/* What an address says of a port counts for nothing: it may come from user space. */
static struct softib *sender_of(const struct rxe_pkt_info *pkt)
{
	return softib_of(pkt->rxe, pkt->qp->attr.port_num);
}

struct sk_buff *softib_init_packet(struct rxe_dev *rxe, int length,
				   struct rxe_pkt_info *pkt)
{
	struct sk_buff *skb;

	/* for any port: the queue pair is not known here */
	skb = new_frame(softib_of(rxe, 1)->ndev,
			sizeof(struct softib_lrh) + sizeof(struct ib_grh), length);
	if (!skb)
		return NULL;
	pkt->rxe = rxe;
	pkt->hdr = skb_put(skb, length);
	return skb;
}

static u16 pkey_of(struct softib *sib, struct rxe_pkt_info *pkt)
{
	u16 index = pkt->qp->attr.pkey_index;

	if (pkt->qp->ibqp.qp_type == IB_QPT_SMI)
		return IB_DEFAULT_PKEY_FULL;
	if (pkt->qp->ibqp.qp_type == IB_QPT_GSI)
		index = pkt->wqe->wr.wr.ud.pkey_index;
	return index < SOFTIB_PKEYS ? READ_ONCE(sib->pkeys[index]) : 0;
}

int softib_prepare(struct rxe_av *av, struct rxe_pkt_info *pkt,
		   struct sk_buff *skb)
{
	struct softib *sib = sender_of(pkt);
	u16 slid = sib->port->attr.lid;
	u8 index = av->grh.sgid_index;
	struct softib_lrh *lrh;

	skb->dev = sib->ndev;
	pkt->port_num = sib->number;
	bth_set_pkey(pkt, pkey_of(sib, pkt));
	/* rxe asks for acknowledgements of datagrams of queue pair 1 */
	if (pkt->mask & RXE_DETH_MASK)
		bth_set_ack(pkt, 0);
	if (av_grh(av)) {
		struct ib_grh *grh = skb_push(skb, sizeof(*grh));

		grh->version_tclass_flow = cpu_to_be32(6 << 28 |
			av->grh.traffic_class << 20 |
			(av->grh.flow_label & 0xfffff));
		grh->paylen = cpu_to_be16(pkt->paylen);
		grh->next_hdr = GRH_NEXT_HEADER;
		grh->hop_limit = av->grh.hop_limit;
		grh->sgid.global.subnet_prefix = sib->port->subnet_prefix;
		grh->sgid.global.interface_id = sib->guids[index < SOFTIB_GUIDS ? index : 0];
		memcpy(&grh->dgid, av->grh.dgid.raw, sizeof(grh->dgid));
	}
	lrh = skb_push(skb, sizeof(*lrh));
	lrh->vl_version = pkt->qp->ibqp.qp_num ? 0 : VL15;
	lrh->sl_next = av->dmac[AV_SL] << 4 | (av_grh(av) ? NEXT_GRH : NEXT_TRANSPORT);
	lrh->dlid = cpu_to_be16(av_dlid(av));
	lrh->words = cpu_to_be16(skb->len / 4);
	lrh->slid = cpu_to_be16(slid ? slid | path_bits(sib, av->dmac[AV_BITS]) :
				       SOFTIB_PERMISSIVE);
	skb_reset_mac_header(skb);
	return 0;
}

/* Returns false if there is no partner. */
static bool to_partner(struct softib *sib, struct sk_buff *skb)
{
	bool multicast = is_multicast(be16_to_cpu(lrh_of(skb)->dlid));
	u8 partner[ETH_ALEN];
	unsigned long flags;
	bool linked;

	spin_lock_irqsave(&sib->lock, flags);
	linked = sib->linked;
	ether_addr_copy(partner, sib->partner);
	spin_unlock_irqrestore(&sib->lock, flags);
	if (!linked)
		return false;
	softib_count(sib, SOFTIB_XMIT_PACKETS, 1);
	softib_count(sib, SOFTIB_XMIT_WORDS, skb->len / 4);
	if (multicast)
		softib_count(sib, SOFTIB_XMIT_MULTICAST, 1);
	send_frame(sib, skb, TYPE_PACKET, partner);
	return true;
}

/* An unsent packet refers to the socket and not to the queue pair, which may go
 * while the Ethernet holds the packet for as long as it likes.
 */
static void sent(struct sk_buff *skb)
{
	struct sock *sk = skb->sk;
	struct rxe_qp *qp;
	unsigned long flags;
	int left;

	spin_lock_irqsave(&owners_lock, flags);
	qp = sk->sk_user_data;
	if (qp && !rxe_get(qp))
		qp = NULL;
	spin_unlock_irqrestore(&owners_lock, flags);
	if (qp) {
		left = atomic_dec_return(&qp->skb_out);
		if (unlikely(qp->need_req_skb && left < RXE_INFLIGHT_SKBS_PER_QP_LOW))
			rxe_sched_task(&qp->send_task);
		rxe_put(qp);
	}
	sock_put(sk);
}

void softib_qp_gone(struct rxe_qp *qp)
{
	unsigned long flags;

	spin_lock_irqsave(&owners_lock, flags);
	qp->sk->sk->sk_user_data = NULL;
	spin_unlock_irqrestore(&owners_lock, flags);
}

/* Always succeeds, as a fabric may lose packets. */
int softib_xmit(struct sk_buff *skb, struct rxe_pkt_info *pkt)
{
	/* as softib_prepare has found it: the queue pair may have been moved since */
	struct softib *sib = softib_of(pkt->rxe, pkt->port_num);
	enum ib_port_state state = READ_ONCE(sib->port->attr.state);
	u16 dlid = be16_to_cpu(lrh_of(skb)->dlid);
	bool smp = pkt->qp->ibqp.qp_num == 0;
	bool own = is_own(sib, dlid);

	sock_hold(pkt->qp->sk->sk);
	skb->sk = pkt->qp->sk->sk;
	skb->destructor = sent;
	atomic_inc(&pkt->qp->skb_out);

	/* subnet management is between queue pairs 0 only */
	if (smp != !bth_qpn(pkt))
		goto discard;
	if (smp ? state < IB_PORT_INIT && !own : state != IB_PORT_ACTIVE)
		goto discard;
	if (own) {
		if (!smp && has_grh(lrh_of(skb)) && !is_own_gid(sib, &grh_of(skb)->dgid))
			goto discard;
		deliver(sib, skb);
		return 0;
	}
	if (is_multicast(dlid)) {
		/* the members at this port */
		struct sk_buff *copy = skb_copy(skb, GFP_ATOMIC);

		if (copy)
			deliver(sib, copy);
	}
	if (to_partner(sib, skb))
		return 0;
discard:
	softib_count(sib, SOFTIB_XMIT_DISCARDS, 1);
	kfree_skb(skb);
	return 0;
}

/* Sends an SMP of this device's own, along LIDs, to its subnet manager. */
void softib_send_smp(struct softib *sib, const struct ib_smp *smp)
{
	const struct ib_port_attr *attr = &sib->port->attr;
	const int length = RXE_BTH_BYTES + RXE_DETH_BYTES + sizeof(*smp);
	struct softib_lrh *lrh;
	struct sk_buff *skb;
	__le32 icrc;
	u8 *bth;

	skb = new_frame(sib->ndev, 0, sizeof(*lrh) + length + RXE_ICRC_SIZE);
	if (!skb)
		return;
	skb_reset_mac_header(skb);
	lrh = skb_put(skb, sizeof(*lrh));
	lrh->vl_version = VL15;
	lrh->sl_next = attr->sm_sl << 4 | NEXT_TRANSPORT;
	lrh->dlid = cpu_to_be16(attr->sm_lid);
	lrh->slid = cpu_to_be16(attr->lid);
	lrh->words = cpu_to_be16((sizeof(*lrh) + length + RXE_ICRC_SIZE) / 4);
	bth = skb_put_zero(skb, RXE_BTH_BYTES + RXE_DETH_BYTES);
	bth[0] = IB_OPCODE_UD_SEND_ONLY;
	put_unaligned_be16(IB_DEFAULT_PKEY_FULL, bth + 2);
	put_unaligned_be32(atomic_inc_return(&sib->psn) & BTH_PSN_MASK, bth + 8);
	skb_put_data(skb, smp, sizeof(*smp));
	icrc = cpu_to_le32(~crc32_le(icrc_begin(skb, bth), bth + RXE_BTH_BYTES,
				     length - RXE_BTH_BYTES));
	skb_put_data(skb, &icrc, sizeof(icrc));
	if (is_own(sib, attr->sm_lid))
		deliver(sib, skb);
	else if (!to_partner(sib, skb))
		kfree_skb(skb);
}

/* ---- receiving ---------------------------------------------------------- */

/* Returns the number of bytes before the BTH, or 0 for what is no packet. */
static unsigned int headers_of(const struct sk_buff *skb)
{
	const struct softib_lrh *lrh = (struct softib_lrh *)skb->data;
	const unsigned int rest = RXE_BTH_BYTES + RXE_ICRC_SIZE;
	const struct ib_grh *grh = (struct ib_grh *)(lrh + 1);
	unsigned int length;

	if (skb->len < sizeof(*lrh) + rest)
		return 0;
	length = (be16_to_cpu(lrh->words) & 0x7ff) * 4;
	if (length > skb->len || length < sizeof(*lrh) + rest ||
	    lrh->vl_version & 0xf || !(lrh->sl_next & NEXT_TRANSPORT))
		return 0;
	if (!has_grh(lrh))
		return sizeof(*lrh);
	if (length < sizeof(*lrh) + sizeof(*grh) + rest ||
	    be32_to_cpu(grh->version_tclass_flow) >> 28 != 6 ||
	    grh->next_hdr != GRH_NEXT_HEADER ||
	    be16_to_cpu(grh->paylen) != length - sizeof(*lrh) - sizeof(*grh))
		return 0;
	return sizeof(*lrh) + sizeof(*grh);
}

static bool is_for_us(struct softib *sib, const struct sk_buff *skb, bool smp)
{
	const struct softib_lrh *lrh = (struct softib_lrh *)skb->data;
	u16 dlid = be16_to_cpu(lrh->dlid);

	if (smp)
		return dlid == SOFTIB_PERMISSIVE || is_own(sib, dlid);
	if (has_grh(lrh) && !is_own_gid(sib, &((struct ib_grh *)(lrh + 1))->dgid))
		return false;
	return is_multicast(dlid) || is_own(sib, dlid);
}

static int receive(struct sk_buff *skb, struct net_device *dev,
		   struct packet_type *type, struct net_device *orig)
{
	struct softib *sib = type->af_packet_priv;
	enum ib_port_state state = READ_ONCE(sib->port->attr.state);
	enum softib_counter problem = SOFTIB_RCV_ERRORS;
	struct softib_lrh *lrh;
	unsigned int headers;
	bool smp;

	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_DROP;
	if (skb->pkt_type != PACKET_HOST || state < IB_PORT_INIT) {
		kfree_skb(skb);
		return NET_RX_DROP;
	}
	if (skb_linearize(skb))
		goto drop;
	headers = headers_of(skb);
	if (!headers)
		goto drop;
	lrh = (struct softib_lrh *)skb->data;
	if (pskb_trim(skb, (be16_to_cpu(lrh->words) & 0x7ff) * 4))
		goto drop;
	lrh = (struct softib_lrh *)skb->data;
	smp = (lrh->vl_version & 0xf0) == VL15;
	if (smp != !(get_unaligned_be32(skb->data + headers + 4) & BTH_QPN_MASK))
		goto drop;
	if (!smp && state != IB_PORT_ACTIVE) {
		problem = SOFTIB_RCV_CONSTRAINT_ERRORS;
		goto drop;
	}
	if (!is_for_us(sib, skb, smp))
		goto drop;
	softib_count(sib, SOFTIB_RCV_PACKETS, 1);
	softib_count(sib, SOFTIB_RCV_WORDS, skb->len / 4);
	if (is_multicast(be16_to_cpu(lrh->dlid)))
		softib_count(sib, SOFTIB_RCV_MULTICAST, 1);
	deliver(sib, skb);
	return NET_RX_SUCCESS;
drop:
	softib_count(sib, problem, 1);
	kfree_skb(skb);
	return NET_RX_DROP;
}

/* A packet of a connection comes from the LID that the connection names. */
int softib_check_addr(struct rxe_pkt_info *pkt, struct rxe_qp *qp)
{
	u16 slid = be16_to_cpu(lrh_of(PKT_TO_SKB(pkt))->slid);

	if (qp_type(qp) != IB_QPT_RC && qp_type(qp) != IB_QPT_UC)
		return 0;
	return slid == av_dlid(&qp->pri_av) ? 0 : -EINVAL;
}

static int find_pkey(struct softib *sib, struct rxe_pkt_info *pkt, struct rxe_qp *qp)
{
	u16 first = 0, last = SOFTIB_PKEYS - 1, i;

	if (qp->ibqp.qp_type != IB_QPT_GSI)
		first = last = qp->attr.pkey_index;
	for (i = first; i <= last && i < SOFTIB_PKEYS; i++) {
		if (pkey_match(bth_pkey(pkt), READ_ONCE(sib->pkeys[i]))) {
			pkt->pkey_index = i;
			return 0;
		}
	}
	return -EINVAL;
}

static void violated(struct softib *sib, u32 *counter)
{
	unsigned long flags;

	spin_lock_irqsave(&sib->lock, flags);
	if (*counter < 0xffff)
		++*counter;
	spin_unlock_irqrestore(&sib->lock, flags);
}

int softib_check_keys(struct rxe_dev *rxe, struct rxe_pkt_info *pkt,
		      struct rxe_qp *qp)
{
	struct softib *sib = softib_of(rxe, pkt->port_num);
	struct ib_port_attr *attr = &sib->port->attr;
	u32 qkey;

	/* of the fabric, and not of RoCE; and a queue pair belongs to one port */
	if (!(pkt->mask & RXE_LOOPBACK_MASK) || pkt->port_num != qp->attr.port_num)
		return -EINVAL;
	pkt->pkey_index = 0;
	if (qp->ibqp.qp_type == IB_QPT_SMI)
		return 0;
	if (find_pkey(sib, pkt, qp)) {
		violated(sib, &attr->bad_pkey_cntr);
		softib_count(sib, SOFTIB_RCV_CONSTRAINT_ERRORS, 1);
		softib_trap_key(sib, SOFTIB_TRAP_PKEY, bth_pkey(pkt), pkt,
				qp->ibqp.qp_num);
		return -EINVAL;
	}
	if (!(pkt->mask & RXE_DETH_MASK))
		return 0;
	qkey = qp->ibqp.qp_type == IB_QPT_GSI ? GSI_QKEY : qp->attr.qkey;
	if (deth_qkey(pkt) == qkey)
		return 0;
	violated(sib, &attr->qkey_viol_cntr);
	softib_trap_key(sib, SOFTIB_TRAP_QKEY, deth_qkey(pkt), pkt,
			qp->ibqp.qp_num);
	return -EINVAL;
}

/* What the first 40 bytes of the buffer of a datagram get. */
void softib_copy_grh(struct sk_buff *skb, union rdma_network_hdr *header)
{
	memset(header, 0, sizeof(*header));
	if (has_grh(lrh_of(skb)))
		header->ibgrh = *grh_of(skb);
}

void softib_complete(struct rxe_qp *qp, struct rxe_pkt_info *pkt,
		     struct rxe_cqe *cqe)
{
	struct softib_lrh *lrh = lrh_of(PKT_TO_SKB(pkt));
	u16 bits = path_bits(softib_of(pkt->rxe, pkt->port_num), be16_to_cpu(lrh->dlid));
	u32 grh = has_grh(lrh) ? IB_WC_GRH : 0;

	if (qp->rcq->is_user) {
		struct ib_uverbs_wc *wc = &cqe->uibwc;

		wc->wc_flags = (wc->wc_flags & ~IB_WC_GRH) | grh;
		wc->slid = be16_to_cpu(lrh->slid);
		wc->sl = lrh->sl_next >> 4;
		wc->dlid_path_bits = bits;
		wc->pkey_index = pkt->pkey_index;
	} else {
		struct ib_wc *wc = &cqe->ibwc;

		wc->wc_flags &= ~(IB_WC_GRH | IB_WC_WITH_NETWORK_HDR_TYPE |
				  IB_WC_WITH_VLAN);
		wc->wc_flags |= grh;
		wc->slid = be16_to_cpu(lrh->slid);
		wc->sl = lrh->sl_next >> 4;
		wc->dlid_path_bits = bits;
		wc->pkey_index = pkt->pkey_index;
	}
}

/* ---- the link ----------------------------------------------------------- */

/* The events of these functions are bits of enum ib_event_type. */
void softib_dispatch(struct softib *sib, unsigned long events)
{
	/* in the order in which other adapters report them */
	static const u8 order[] = {
		IB_EVENT_GID_CHANGE, IB_EVENT_LID_CHANGE, IB_EVENT_PKEY_CHANGE,
		IB_EVENT_SM_CHANGE, IB_EVENT_PORT_ERR, IB_EVENT_PORT_ACTIVE,
		IB_EVENT_CLIENT_REREGISTER,
	};
	struct ib_device *dev = &sib->rxe->ib_dev;
	int i;

	if (!events || !ib_device_try_get(dev))
		return;
	if (events & BIT(LINK_UP))
		ibdev_dbg(dev, "the link is up\n");
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		struct ib_event event = {
			.device = dev,
			.element.port_num = sib->number,
			.event = order[i],
		};

		if (events & BIT(order[i]))
			ib_dispatch_event(&event);
	}
	ib_device_put(dev);
}

/* Caller holds the lock. */
static unsigned long link_up(struct softib *sib)
{
	struct ib_port_attr *attr = &sib->port->attr;

	WRITE_ONCE(attr->state, IB_PORT_INIT);
	attr->phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	return BIT(LINK_UP);
}

/* Caller holds the lock. */
unsigned long softib_link_down(struct softib *sib)
{
	struct ib_port_attr *attr = &sib->port->attr;
	enum ib_port_state before = attr->state;

	WRITE_ONCE(attr->state, IB_PORT_DOWN);
	attr->phys_state = sib->disabled ? IB_PORT_PHYS_STATE_DISABLED :
					   IB_PORT_PHYS_STATE_POLLING;
	if (before != IB_PORT_DOWN)
		softib_count(sib, SOFTIB_LINK_DOWNED, 1);
	return before == IB_PORT_ACTIVE ? BIT(IB_EVENT_PORT_ERR) : 0;
}

/* Caller holds the lock. */
static unsigned long part(struct softib *sib)
{
	sib->paired = false;
	sib->linked = false;
	sib->partner_is_switch = false;
	eth_zero_addr(sib->partner);
	return softib_link_down(sib);
}

static void say_hello(struct softib *sib, u8 flags)
{
	struct hello *hello;
	struct sk_buff *skb;
	unsigned long irq;

	skb = new_frame(sib->ndev, 0, ETH_ZLEN);
	if (!skb)
		return;
	hello = skb_put_zero(skb, ETH_ZLEN - ETH_HLEN);
	hello->magic = cpu_to_be32(HELLO_MAGIC);
	hello->version = HELLO_VERSION;
	hello->flags = flags;
	hello->port = cpu_to_be16(sib->number);
	hello->guid = sib->guids[0];
	spin_lock_irqsave(&sib->lock, irq);
	ether_addr_copy(hello->partner, sib->partner);
	spin_unlock_irqrestore(&sib->lock, irq);
	send_frame(sib, skb, TYPE_HELLO, sib->ndev->broadcast);
}

/* Caller holds the lock. */
static void take_rate(struct softib *sib, const struct hello *hello)
{
	struct ib_port_attr *attr = &sib->port->attr;

	attr->active_width = hello->width == IB_WIDTH_1X ? IB_WIDTH_1X : IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_QDR;
	if (hello->speed == IB_SPEED_SDR || hello->speed == IB_SPEED_DDR)
		attr->active_speed = hello->speed;
}

/* The partner has spoken. Caller holds the lock. */
static unsigned long heard_partner(struct softib *sib, const struct hello *hello,
				   bool *answer)
{
	bool knows_us = ether_addr_equal(hello->partner, sib->ndev->dev_addr);
	bool alone = is_zero_ether_addr(hello->partner);
	unsigned long events;

	if (hello->flags & HELLO_BYE || (!knows_us && !alone))
		return part(sib);
	sib->silent = 0;
	take_rate(sib, hello);
	if (knows_us && !sib->linked) {
		sib->linked = true;
		return link_up(sib);
	}
	if (alone) {
		/* it has started again, or is about to learn of this port */
		*answer = true;
		sib->linked = false;
		return softib_link_down(sib);
	}
	if (!(hello->flags & HELLO_RETRAIN))
		return 0;
	events = softib_link_down(sib);
	return events | link_up(sib);
}

/* Caller holds the lock. */
static unsigned long heard_stranger(struct softib *sib, const struct hello *hello,
				    const u8 *from, bool *answer)
{
	bool knows_us = ether_addr_equal(hello->partner, sib->ndev->dev_addr);
	bool alone = is_zero_ether_addr(hello->partner);
	bool is_switch = hello->flags & HELLO_SWITCH;
	unsigned long events = 0;

	if (hello->flags & HELLO_BYE)
		return 0;
	if (is_switch ? !knows_us || sib->partner_is_switch :
			sib->paired || (!knows_us && !alone))
		return 0;
	if (sib->paired)
		events = part(sib);
	sib->paired = true;
	sib->partner_is_switch = is_switch;
	ether_addr_copy(sib->partner, from);
	*answer = true;
	sib->silent = 0;
	take_rate(sib, hello);
	if (knows_us) {
		sib->linked = true;
		events |= link_up(sib);
	}
	return events;
}

static int receive_hello(struct sk_buff *skb, struct net_device *dev,
			 struct packet_type *type, struct net_device *orig)
{
	struct softib *sib = type->af_packet_priv;
	unsigned long events = 0, flags;
	u8 from[ETH_ALEN];
	bool answer = false;
	struct hello hello;

	if (skb->pkt_type == PACKET_OTHERHOST || !skb_mac_header_was_set(skb) ||
	    skb_copy_bits(skb, 0, &hello, sizeof(hello)))
		goto out;
	ether_addr_copy(from, eth_hdr(skb)->h_source);
	if (hello.magic != cpu_to_be32(HELLO_MAGIC) || hello.version != HELLO_VERSION ||
	    !is_valid_ether_addr(from) || ether_addr_equal(from, sib->ndev->dev_addr))
		goto out;
	spin_lock_irqsave(&sib->lock, flags);
	if (!sib->disabled && netif_running(sib->ndev)) {
		if (sib->paired && ether_addr_equal(from, sib->partner))
			events = heard_partner(sib, &hello, &answer);
		else
			events = heard_stranger(sib, &hello, from, &answer);
	}
	spin_unlock_irqrestore(&sib->lock, flags);
	softib_dispatch(sib, events);
	if (answer)
		say_hello(sib, 0);
out:
	consume_skb(skb);
	return NET_RX_SUCCESS;
}

void softib_wake(struct softib *sib)
{
	if (!READ_ONCE(sib->ended))
		mod_delayed_work(rxe_wq, &sib->beat, 0);
}

/* Takes the link down and up; the partner does the same. */
void softib_retrain(struct softib *sib)
{
	unsigned long events, flags;
	bool linked;

	spin_lock_irqsave(&sib->lock, flags);
	events = softib_link_down(sib);
	linked = sib->linked && !sib->disabled;
	if (sib->disabled)
		events |= part(sib);
	else if (linked)
		events |= link_up(sib);
	spin_unlock_irqrestore(&sib->lock, flags);
	say_hello(sib, linked ? HELLO_RETRAIN : HELLO_BYE);
	softib_dispatch(sib, events);
}

static void beat(struct work_struct *work)
{
	struct softib *sib = container_of(work, struct softib, beat.work);
	unsigned long events = 0;
	bool disabled, full;

	spin_lock_irq(&sib->lock);
	/* softib_wake() asks for beats between those that time asks for */
	full = time_after_eq(jiffies, sib->counted + HELLO_PERIOD);
	if (full)
		sib->counted = jiffies;
	if (full && sib->paired && ++sib->silent > LONGEST_SILENCE)
		events = part(sib);
	disabled = sib->disabled;
	spin_unlock_irq(&sib->lock);
	softib_dispatch(sib, events);
	if (netif_running(sib->ndev) && !disabled)
		say_hello(sib, 0);
	softib_send_traps(sib, full);
	if (!READ_ONCE(sib->ended))
		queue_delayed_work(rxe_wq, &sib->beat, HELLO_PERIOD);
}

/* Takes over the reference to the device. */
int softib_notify(struct rxe_dev *rxe, struct net_device *ndev, unsigned long event)
{
	struct softib *sib = softib_of(rxe, 1);
	unsigned long events;

	if (sib->ndev != ndev)
		sib = softib_of(rxe, 2);

	switch (event) {
	case NETDEV_UP:
		softib_wake(sib);
		break;
	case NETDEV_GOING_DOWN:
		say_hello(sib, HELLO_BYE);
		break;
	case NETDEV_DOWN:
		spin_lock_irq(&sib->lock);
		events = part(sib);
		spin_unlock_irq(&sib->lock);
		softib_dispatch(sib, events);
		break;
	case NETDEV_UNREGISTER:
		ib_unregister_device_queued(&rxe->ib_dev);
		break;
	}
	ib_device_put(&rxe->ib_dev);
	return NOTIFY_OK;
}

/* ---- verbs -------------------------------------------------------------- */

static int query_port(struct ib_device *dev, u32 port, struct ib_port_attr *attr)
{
	struct softib *sib = softib_of(to_rdev(dev), port);
	unsigned long flags;

	spin_lock_irqsave(&sib->lock, flags);
	*attr = sib->port->attr;
	/* else the core takes that of the last GID, which may be unused */
	attr->subnet_prefix = be64_to_cpu(sib->port->subnet_prefix);
	spin_unlock_irqrestore(&sib->lock, flags);
	return 0;
}

static int query_gid(struct ib_device *dev, u32 port, int index, union ib_gid *gid)
{
	struct softib *sib = softib_of(to_rdev(dev), port);
	unsigned long flags;

	if (index < 0 || index >= SOFTIB_GUIDS)
		return -EINVAL;
	memset(gid, 0, sizeof(*gid));
	spin_lock_irqsave(&sib->lock, flags);
	if (sib->guids[index]) {
		gid->global.subnet_prefix = sib->port->subnet_prefix;
		gid->global.interface_id = sib->guids[index];
	}
	spin_unlock_irqrestore(&sib->lock, flags);
	return 0;
}

static int query_pkey(struct ib_device *dev, u32 port, u16 index, u16 *pkey)
{
	if (index >= SOFTIB_PKEYS)
		return -EINVAL;
	*pkey = READ_ONCE(softib_of(to_rdev(dev), port)->pkeys[index]);
	return 0;
}

static int modify_port(struct ib_device *dev, u32 port, int mask,
		       struct ib_port_modify *change)
{
	struct softib *sib = softib_of(to_rdev(dev), port);
	struct ib_port_attr *attr = &sib->port->attr;
	unsigned long flags;
	u32 before;

	if (mask & ~IB_PORT_RESET_QKEY_CNTR)
		return -EOPNOTSUPP;
	spin_lock_irqsave(&sib->lock, flags);
	before = attr->port_cap_flags;
	attr->port_cap_flags |= change->set_port_cap_mask;
	attr->port_cap_flags &= ~change->clr_port_cap_mask;
	if (mask & IB_PORT_RESET_QKEY_CNTR)
		attr->qkey_viol_cntr = 0;
	before ^= attr->port_cap_flags;
	spin_unlock_irqrestore(&sib->lock, flags);
	if (before)
		softib_trap_change(sib, false);
	return 0;
}

static int modify_device(struct ib_device *dev, int mask, struct ib_device_modify *change)
{
	struct softib_adapter *adapter = to_rdev(dev)->ib;
	unsigned long flags;
	int i;

	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	spin_lock_irqsave(&adapter->ports[0].lock, flags);
	memcpy(dev->node_desc, change->node_desc, sizeof(dev->node_desc));
	spin_unlock_irqrestore(&adapter->ports[0].lock, flags);
	for (i = 0; i < adapter->count; i++)
		softib_trap_change(&adapter->ports[i], true);
	return 0;
}

static enum rdma_link_layer get_link_layer(struct ib_device *dev, u32 port)
{
	return IB_LINK_LAYER_INFINIBAND;
}

static int get_port_immutable(struct ib_device *dev, u32 port,
			      struct ib_port_immutable *immutable)
{
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	immutable->pkey_tbl_len = SOFTIB_PKEYS;
	immutable->gid_tbl_len = SOFTIB_GUIDS;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

#ifdef SOFTIB_REPORTS_EVENTS
/* The state of the Ethernet is not the port's. */
static void report_port_event(struct ib_device *dev, struct net_device *ndev,
			      unsigned long event)
{
}
#endif

static int enable_driver(struct ib_device *dev)
{
	struct softib_adapter *adapter = to_rdev(dev)->ib;
	int i;

	/* after rxe has set its own, and before anybody asks */
	strscpy(dev->node_desc, dev_name(&dev->dev), sizeof(dev->node_desc));
	adapter->started = true;
	for (i = 0; i < adapter->count; i++) {
		dev_add_pack(&adapter->ports[i].packets);
		dev_add_pack(&adapter->ports[i].hellos);
		queue_delayed_work(rxe_wq, &adapter->ports[i].beat, 0);
	}
	return 0;
}

static const struct ib_device_ops softib_ops = {
	.enable_driver = enable_driver,
	.get_link_layer = get_link_layer,
	.get_port_immutable = get_port_immutable,
	.modify_device = modify_device,
	.modify_port = modify_port,
	.process_mad = softib_process_mad,
	.query_gid = query_gid,
	.query_pkey = query_pkey,
	.query_port = query_port,
#ifdef SOFTIB_REPORTS_EVENTS
	.report_port_event = report_port_event,
#endif
};

/* ---- the device --------------------------------------------------------- */

static void init_port(struct softib *sib)
{
	struct rxe_port *port = sib->port;
	struct ib_port_attr *attr = &port->attr;

	addrconf_addr_eui48((u8 *)&port->port_guid, sib->ndev->dev_addr);
	sib->guids[0] = port->port_guid;
	sib->pkeys[0] = IB_DEFAULT_PKEY_FULL;
	sib->operational_vls = 1;
	sib->widths = IB_WIDTH_1X | IB_WIDTH_4X;
	sib->speeds = IB_SPEED_SDR | IB_SPEED_DDR | IB_SPEED_QDR;
	sib->down_default = IB_PORT_PHYS_STATE_POLLING;

	attr->state = IB_PORT_DOWN;
	attr->phys_state = IB_PORT_PHYS_STATE_POLLING;
	attr->max_mtu = rxe_mtu_int_to_enum((int)sib->ndev->mtu - PACKET_HEADERS);
	/* both ends of a link know what they can: no manager has to take it down */
	attr->active_mtu = attr->max_mtu;
	sib->neighbor_mtu = attr->max_mtu;
	port->mtu_cap = ib_mtu_enum_to_int(attr->max_mtu);
	attr->gid_tbl_len = SOFTIB_GUIDS;
	attr->pkey_tbl_len = SOFTIB_PKEYS;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_QDR;
	attr->max_vl_num = 1;
	attr->port_cap_flags = IB_PORT_TRAP_SUP | IB_PORT_SYS_IMAGE_GUID_SUP |
			       IB_PORT_CM_SUP | IB_PORT_CAP_MASK_NOTICE_SUP |
			       IB_PORT_CLIENT_REG_SUP | IB_PORT_OTHER_LOCAL_CHANGES_SUP;
}

static void init_node(struct rxe_dev *rxe)
{
	u8 *guid = (u8 *)&rxe->ib->node_guid;

	/* a node's GUID is another one than its port's */
	rxe->ib->node_guid = rxe->port.port_guid;
	guid[3] = 0;
	guid[4] = 1;
	rxe->attr.sys_image_guid = rxe->ib->node_guid;
	rxe->attr.max_pkeys = SOFTIB_PKEYS;
	rxe->attr.vendor_id = VENDOR_ID;
	rxe->attr.device_cap_flags &= ~(u64)IB_DEVICE_AUTO_PATH_MIG;
	/* the port of a queue pair counts, and not that of an address */
	if (rxe->ib->count > 1)
		rxe->attr.device_cap_flags &= ~(u64)IB_DEVICE_UD_AV_PORT_ENFORCE;
}

void softib_cleanup(struct rxe_dev *rxe)
{
	struct softib_adapter *adapter = rxe->ib;
	int i;

	if (!adapter)
		return;
	for (i = 0; i < adapter->count; i++) {
		struct softib *sib = &adapter->ports[i];

		WRITE_ONCE(sib->ended, true);
		if (adapter->started) {
			dev_remove_pack(&sib->packets);
			dev_remove_pack(&sib->hellos);
			cancel_delayed_work_sync(&sib->beat);
			if (netif_running(sib->ndev))
				say_hello(sib, HELLO_BYE);
		}
		netdev_put(sib->ndev, &sib->tracker);
	}
	root_device_unregister(adapter->parent);
	rxe->ib = NULL;
	kfree(adapter);
}

static void add_port(struct rxe_dev *rxe, struct net_device *ndev)
{
	struct softib_adapter *adapter = rxe->ib;
	struct softib *sib = &adapter->ports[adapter->count++];

	sib->rxe = rxe;
	sib->port = adapter->count == 1 ? &rxe->port : &adapter->second;
	sib->number = adapter->count;
	sib->ndev = ndev;
	netdev_hold(ndev, &sib->tracker, GFP_KERNEL);
	spin_lock_init(&sib->lock);
	INIT_DELAYED_WORK(&sib->beat, beat);
	sib->counted = jiffies;
	sib->packets.type = htons(TYPE_PACKET);
	sib->packets.func = receive;
	sib->hellos.type = htons(TYPE_HELLO);
	sib->hellos.func = receive_hello;
	sib->packets.dev = sib->hellos.dev = ndev;
	sib->packets.af_packet_priv = sib->hellos.af_packet_priv = sib;
}

static struct softib_adapter *alloc_adapter(const struct net_device *ndev)
{
	struct softib_adapter *adapter = kzalloc(sizeof(*adapter), GFP_KERNEL);
	char name[IFNAMSIZ + 8];

	if (!adapter)
		return NULL;
	snprintf(name, sizeof(name), "softib-%s", ndev->name);
	adapter->parent = root_device_register(name);
	if (IS_ERR(adapter->parent)) {
		kfree(adapter);
		return NULL;
	}
	return adapter;
}

static int check_ethernet(struct net_device *ndev)
{
	struct rxe_dev *rxe = rxe_get_dev_from_net(ndev);

	if (rxe) {
		ib_device_put(&rxe->ib_dev);
		return -EEXIST;
	}
	if (ndev->type != ARPHRD_ETHER || is_vlan_dev(ndev) ||
	    ndev->mtu < PACKET_HEADERS + 256)
		return -EINVAL;
	return 0;
}

static int add_adapter(const char *name, struct net_device *first, struct net_device *second)
{
	int err = check_ethernet(first);
	struct rxe_dev *rxe;

	if (!err && second)
		err = first == second ? -EINVAL : check_ethernet(second);
	if (err)
		return err;
	rxe = ib_alloc_device(rxe_dev, ib_dev);
	if (!rxe)
		return -ENOMEM;
	ib_mark_name_assigned_by_user(&rxe->ib_dev);
	err = -ENOMEM;
	rxe->ib = alloc_adapter(first);
	if (rxe->ib) {
		add_port(rxe, first);
		if (second)
			add_port(rxe, second);
		err = rxe_add(rxe, first->mtu, name, first);
	}
	if (err)
		ib_dealloc_device(&rxe->ib_dev);
	return err;
}

static int newlink(const char *name, struct net_device *ndev)
{
	const char *plus = strchr(name, '+');
	char device[IB_DEVICE_NAME_MAX];
	struct net_device *second;
	int err;

	if (!plus)
		return add_adapter(name, ndev, NULL);
	if (plus == name || plus - name >= sizeof(device))
		return -EINVAL;
	strscpy(device, name, plus - name + 1);
	second = dev_get_by_name(dev_net(ndev), plus + 1);
	if (!second)
		return -ENODEV;
	err = add_adapter(device, ndev, second);
	dev_put(second);
	return err;
}

static struct rdma_link_ops softib_link_ops = {
	.type = "softib",
	.newlink = newlink,
};

/* When rxe has set its own values, and before anybody sees the device. */
int softib_init(struct rxe_dev *rxe)
{
	struct softib_adapter *adapter = rxe->ib;
	int i, err;

	if (!adapter)
		return 0;
	adapter->second = rxe->port;
	spin_lock_init(&adapter->second.port_lock);
	for (i = 0; i < adapter->count; i++)
		init_port(&adapter->ports[i]);
	init_node(rxe);
	rxe->ib_dev.phys_port_cnt = adapter->count;
	rxe->ib_dev.node_guid = adapter->node_guid;
	rxe->ib_dev.dev.parent = adapter->parent;
	rxe->ib_dev.link_ops = &softib_link_ops;
	/* the first operations that are set are kept */
	ib_set_device_ops(&rxe->ib_dev, &softib_ops);
	if (adapter->count == 1)
		return 0;
	/* rxe does it for the first one */
	err = ib_device_set_netdev(&rxe->ib_dev, adapter->ports[1].ndev, 2);
	if (err)
		softib_cleanup(rxe);
	return err;
}

void softib_register(void)
{
	rdma_link_register(&softib_link_ops);
}

void softib_unregister(void)
{
	rdma_link_unregister(&softib_link_ops);
}

MODULE_ALIAS_RDMA_LINK("softib");
